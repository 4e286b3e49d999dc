"""All commands of `auditor`: one small module per command, each command thin."""

from __future__ import annotations

import typer

from auditor.cli import audit, demo, draft, experiment, prompts, review, suggestions

app = typer.Typer(
    name="auditor",
    help="Drafts for a person to review, and a demo to start from. Nothing here moves a verdict of the gate.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("audit", epilog=audit.exit_codes())(audit.audit)
app.command("demo")(demo.demo)
draft.register(app)
app.command("experiment")(experiment.experiment)
app.command("review")(review.review)
suggestions.register(app)
app.command("prompts")(prompts.prompts)

"""`auditor prompts`: which prompts this installation carries."""

from __future__ import annotations

from gate.api import judging, put


def prompts() -> None:
    """List every prompt: id, version, digest, purpose."""
    from auditor.drafting.prompts import list_prompts

    with judging():
        found = list_prompts()
    width = max(len(prompt.id) for prompt in found)
    for prompt in found:
        put(f"{prompt.id:<{width}}  v{prompt.version}  sha256:{prompt.digest}  {prompt.purpose}")

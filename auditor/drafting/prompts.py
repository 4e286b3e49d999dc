"""Finding the prompts: data files, one folder a prompt, one file `vN.md` a version."""

from __future__ import annotations

import re
from pathlib import Path

from auditor.drafting.prompt_file import Prompt, parse_prompt
from auditor.errors import PromptError

_PACKAGE = Path(__file__).parent.parent
_FILE = re.compile(r"v([1-9][0-9]*)\.md")
_REINSTALL = "Install the program again, or run it from a whole checkout."


def prompts_folder(package: Path = _PACKAGE) -> Path:
    """Where the prompts of the package at `package` are: inside it in a wheel, beside it in a checkout.

    A folder counts only with its `manifest.json`: an unrelated package may be called `prompts`. Raises PromptError when neither is there.
    """
    places = (package / "_prompts", package.parent / "prompts")
    for place in places:
        if (place / "manifest.json").is_file():
            return place
    raise PromptError(f"expected the prompts in {places[0]} or {places[1]}, found neither", next_step=_REINSTALL)


def list_prompts(*, folder: Path | None = None) -> tuple[Prompt, ...]:
    """Every version of every prompt, by id and version. Never empty: raises PromptError when there is none, or one cannot be read."""
    folder = folder or prompts_folder()
    files = ((path, _FILE.fullmatch(path.name)) for path in folder.glob("*/*.md"))
    found = [_read(path, int(match[1])) for path, match in files if match]
    if not found:
        raise PromptError(f"{folder}: expected prompts, found none", next_step=_REINSTALL)
    return tuple(sorted(found, key=lambda prompt: (prompt.id, prompt.version)))


def load_prompt(prompt_id: str, version: int | None = None, *, folder: Path | None = None) -> Prompt:
    """One prompt; without a version its newest. Raises PromptError when it is not there, naming what is."""
    prompts = list_prompts(folder=folder)
    matching = [prompt for prompt in prompts if prompt.id == prompt_id and version in (None, prompt.version)]
    if matching:
        return matching[-1]
    wanted = prompt_id if version is None else f"{prompt_id} v{version}"
    there = ", ".join(f"{prompt.id} v{prompt.version}" for prompt in prompts)
    raise PromptError(f"expected one of the prompts {there}; got {wanted}", next_step="List them: auditor prompts")


def _read(path: Path, version: int) -> Prompt:
    name = f"{path.parent.name}/{path.name}"
    prompt = parse_prompt(path.read_bytes(), name=name)
    if (prompt.id, prompt.version) != (path.parent.name, version):
        raise PromptError(
            f"{name}: expected the id and version of its path, got {prompt.id} v{prompt.version}",
            next_step="Make the front matter and the path agree.",
        )
    return prompt

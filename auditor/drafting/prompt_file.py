"""The form of a prompt file: strict front matter, then sections. Text in, one value out; nothing is guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

from auditor.errors import PromptError

KEYS = ("id", "version", "purpose", "inputs", "schema")
"""The keys of the front matter: each exactly once, in any order."""

_NEXT_STEP = "Mend the prompt file: front matter with id, version, purpose, inputs, schema, then its sections."
_KEY = re.compile(r"([a-z]+): (\S.*)")
_NAME = re.compile(r"[a-z][a-z_]*")
_VERSION = re.compile(r"[1-9][0-9]*")
_SECTION = re.compile(r"=== (.*) ===")
_PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A worked example: what was asked, and the answer that was wanted."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One version of one prompt."""

    id: str
    version: int
    """From 1."""
    purpose: str
    """One line for people; never sent."""
    inputs: tuple[str, ...]
    """The names of what is filled in, in the order of the front matter. Each stands in the question as `{{name}}`, at least once."""
    schema: str
    """The name of the schema that the answer is checked against."""
    system: str
    examples: tuple[Example, ...]
    question: str
    """The template. Whoever fills it fences every input: all of them hold text that nobody vouches for."""
    digest: str
    """Hex SHA-256 of the file's bytes."""


def parse_prompt(data: bytes, *, name: str) -> Prompt:
    """The prompt that a file holds. Raises PromptError naming `name` and the line.

    The file is UTF-8 with LF line ends. A line `---` opens it, front matter of `key: value` lines follows up to the next `---`, then
    the sections `=== system ===`, any number of pairs `=== example question ===` and `=== example answer ===`, and `=== question ===`.
    No section is empty; blank lines round a section's text do not belong to it.
    """
    lines = _lines(data, name)
    if lines[0] != "---" or "---" not in lines[1:]:
        raise _fault(name, 1, "expected front matter between two lines `---`")
    end = lines.index("---", 1)
    head = _front_matter(lines[1:end], name)
    system, *rest = _sections(lines[end + 1 :], name, first_line=end + 2)
    *shown, question = rest
    prompt = Prompt(
        id=head["id"],
        version=int(head["version"]),
        purpose=head["purpose"],
        inputs=tuple(head["inputs"].split(", ")),
        schema=head["schema"],
        system=system,
        examples=tuple(
            Example(question=asked, answer=wanted) for asked, wanted in zip(shown[::2], shown[1::2], strict=True)
        ),
        question=question,
        digest=sha256(data).hexdigest(),
    )
    _check_placeholders(prompt, name)
    return prompt


def _lines(data: bytes, name: str) -> list[str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _fault(name, data[: error.start].count(b"\n") + 1, f"expected UTF-8, got {error.reason}") from error
    if "\r" in text:
        raise _fault(name, text[: text.index("\r")].count("\n") + 1, "expected LF line ends, got a CR")
    return text.split("\n")


def _front_matter(lines: list[str], name: str) -> dict[str, str]:
    head: dict[str, str] = {}
    for number, line in enumerate(lines, start=2):
        match = _KEY.fullmatch(line)
        if match is None:
            raise _fault(name, number, f"expected `key: value`, got {line!r}")
        key, said = match[1], match[2].rstrip()
        again = " again" if key in head else ""
        if key not in KEYS or again:
            raise _fault(name, number, f"expected each of {', '.join(KEYS)} once, got {key!r}{again}")
        if complaint := _complaint(key, said):
            raise _fault(name, number, f"{key}: expected {complaint}, got {said!r}")
        head[key] = said
    if missing := [key for key in KEYS if key not in head]:
        raise _fault(name, 1, f"expected each of {', '.join(KEYS)} once, found no {missing[0]!r}")
    return head


def _complaint(key: str, said: str) -> str:
    """What a value should have been; empty when it is that."""
    names = said.split(", ")
    if key == "id" and not _NAME.fullmatch(said):
        return "a name of lower-case letters"
    if key == "version" and not _VERSION.fullmatch(said):
        return "a whole number from 1"
    if key == "inputs" and (len(set(names)) < len(names) or not all(map(_NAME.fullmatch, names))):
        return "different lower-case names joined by `, `"
    if key == "schema" and not said.isidentifier():
        return "the name of one schema"
    return ""


def _sections(lines: list[str], name: str, *, first_line: int) -> list[str]:
    """The text of each section in file order: the system text, questions and answers in turn, the question."""
    titles: list[str] = []
    texts: list[list[str]] = []
    starts: list[int] = []
    for number, line in enumerate(lines, start=first_line):
        if title := _SECTION.fullmatch(line):
            titles.append(title[1])
            texts.append([])
            starts.append(number)
        elif texts:
            texts[-1].append(line)
        elif line:
            raise _fault(name, number, f"expected `=== system ===`, got {line!r}")
    pairs = max(len(titles) - 2, 0) // 2
    wanted = ["system", *["example question", "example answer"] * pairs, "question"]
    if titles != wanted:
        raise _fault(name, first_line, f"expected the sections {', '.join(wanted)}, got {', '.join(titles) or 'none'}")
    joined = ["\n".join(text).strip("\n") for text in texts]
    for start, heading, text in zip(starts, titles, joined, strict=True):
        if not text.strip():
            raise _fault(name, start, f"expected text in the section {heading!r}, got none")
    return joined


def _check_placeholders(prompt: Prompt, name: str) -> None:
    """The question uses exactly the declared inputs, and no other section has a placeholder."""
    used = set(_PLACEHOLDER.findall(prompt.question))
    if used != set(prompt.inputs):
        raise _fault(name, 1, f"expected the question to use {sorted(prompt.inputs)}, it uses {sorted(used)}")
    fixed = [prompt.system, *(part for example in prompt.examples for part in (example.question, example.answer))]
    if stray := [found for text in fixed for found in _PLACEHOLDER.findall(text)]:
        raise _fault(name, 1, f"expected placeholders in the question only, got {stray[0]!r} elsewhere")


def _fault(name: str, line: int, what: str) -> PromptError:
    return PromptError(f"{name}:{line}: {what}", next_step=_NEXT_STEP)

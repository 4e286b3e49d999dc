from __future__ import annotations

from pathlib import Path

import pytest

from auditor.drafting.prompts import list_prompts, load_prompt, prompts_folder
from auditor.errors import PromptError

TEXT = "---\nid: {id}\nversion: {version}\npurpose: p\ninputs: x\nschema: S\n---\n=== system ===\ns\n=== question ===\n{{{{x}}}}\n"


def write(folder: Path, prompt_id: str, version: int, *, place: str | None = None) -> None:
    path = folder / (place or f"{prompt_id}/v{version}.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TEXT.format(id=prompt_id, version=version))


def names(folder: Path) -> list[tuple[str, int]]:
    return [(prompt.id, prompt.version) for prompt in list_prompts(folder=folder)]


def test_a_wheel_carries_its_prompts_inside_the_package(tmp_path):
    for place in ("auditor/_prompts", "prompts"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "manifest.json").write_text("{}")
    assert prompts_folder(tmp_path / "auditor") == tmp_path / "auditor" / "_prompts"


def test_a_checkout_has_its_prompts_beside_the_package(tmp_path):
    (tmp_path / "auditor").mkdir()
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "manifest.json").write_text("{}")
    assert prompts_folder(tmp_path / "auditor") == tmp_path / "prompts"


def test_an_unrelated_folder_called_prompts_is_not_taken(tmp_path):
    (tmp_path / "prompts").mkdir()
    with pytest.raises(PromptError) as error:
        prompts_folder(tmp_path / "auditor")
    assert error.value.what == (
        f"expected the prompts in {tmp_path / 'auditor' / '_prompts'} or {tmp_path / 'prompts'}, found neither"
    )


def test_prompts_are_listed_by_id_and_by_number_of_version(tmp_path):
    for prompt_id, version in (("wording", 1), ("policy", 10), ("policy", 9)):
        write(tmp_path, prompt_id, version)
    assert names(tmp_path) == [("policy", 9), ("policy", 10), ("wording", 1)]


def test_without_a_version_the_newest_is_loaded(tmp_path):
    write(tmp_path, "policy", 9)
    write(tmp_path, "policy", 10)
    assert load_prompt("policy", folder=tmp_path).version == 10
    assert load_prompt("policy", 9, folder=tmp_path).version == 9


@pytest.mark.parametrize(("wanted", "shown"), [(("nope",), "nope"), (("policy", 2), "policy v2")])
def test_a_prompt_that_is_not_there_is_refused_naming_what_is(tmp_path, wanted, shown):
    write(tmp_path, "policy", 1)
    with pytest.raises(PromptError) as error:
        load_prompt(*wanted, folder=tmp_path)
    assert error.value.diagnostics() == (
        f"expected one of the prompts policy v1; got {shown}\nList them: auditor prompts"
    )


@pytest.mark.parametrize("place", ["policy/v2.md", "other/v1.md"])
def test_front_matter_that_contradicts_the_path_is_refused(tmp_path, place):
    write(tmp_path, "policy", 1, place=place)
    with pytest.raises(PromptError) as error:
        list_prompts(folder=tmp_path)
    assert error.value.what == f"{place}: expected the id and version of its path, got policy v1"


def test_a_folder_without_prompts_is_refused(tmp_path):
    with pytest.raises(PromptError) as error:
        list_prompts(folder=tmp_path)
    assert error.value.what == f"{tmp_path}: expected prompts, found none"

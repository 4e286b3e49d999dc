"""Which distributions building brought into a tree."""

import json
import os

import pytest

from gate.replay.distributions import distributions


@pytest.fixture
def trees(tmp_path):
    (tmp_path / "source").mkdir()
    (tmp_path / "built" / "lib").mkdir(parents=True)
    return tmp_path


def install(trees, name, version, *, at="built/lib", metadata=None, url=None):
    folder = trees / at / f"{name}-{version}.dist-info"
    folder.mkdir(parents=True)
    text = (
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: forged\n" if metadata is None else metadata
    )
    (folder / "METADATA").write_text(text)
    if url:
        (folder / "direct_url.json").write_text(json.dumps({"url": url}))
    return folder


def found(trees):
    source = trees / "source"
    return distributions(trees / "built", source=source, place=trees / "place", own=(source,))


def test_names_are_normalised_and_versions_sorted(trees):
    install(trees, "Typing_Extensions", "4.9")
    install(trees, "typing.extensions", "4.10", at="built/other")
    install(trees, "attrs", "24.2")
    assert found(trees) == {"attrs": ("24.2",), "typing-extensions": ("4.10", "4.9")}


def test_an_egg_counts_and_without_metadata_the_name_of_the_folder(trees):
    egg = trees / "built" / "six.egg-info"
    egg.mkdir()
    (egg / "PKG-INFO").write_text("Name: six\nVersion: 1.16\n")
    install(trees, "bare", "2", metadata="")
    assert found(trees) == {"bare": ("2",), "six": ("1.16",)}


def test_what_the_tree_itself_brings_was_not_fetched(trees):
    install(trees, "vendored", "1", at="source/lib")
    install(trees, "vendored", "1")
    assert found(trees) == {}


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pyproject.toml", '[project]\nname = "My.Tool"\n'),
        ("pyproject.toml", '[tool.poetry]\nname = "my_tool"\n'),
        ("setup.cfg", "[metadata]\nname = my-tool\n"),
    ],
)
def test_the_own_distribution_is_told_by_the_name_that_the_tree_gives_itself(trees, file, text):
    (trees / "source" / file).write_text(text)
    install(trees, "my_tool", "1")
    assert found(trees) == {}


def test_what_was_installed_from_the_build_itself_is_its_own(trees):
    install(trees, "plugin", "1", url=f"file://{trees}/place/plugins/one")
    install(trees, "stranger", "1", url=f"file://{trees}/elsewhere")
    assert found(trees) == {"stranger": ("1",)}


def test_files_that_nobody_can_read_as_such_are_no_fault(trees):
    (trees / "source" / "pyproject.toml").write_text("[project\n")
    (trees / "source" / "setup.cfg").write_text("name\n")
    folder = install(trees, "odd", "1", url="x")
    (folder / "direct_url.json").write_text("[1")
    (folder / "METADATA").unlink()
    os.mkfifo(folder / "METADATA")
    assert found(trees) == {"odd": ("1",)}

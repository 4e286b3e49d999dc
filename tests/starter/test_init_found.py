"""What can be run in a repository, and what is taken of it."""

import pytest

from gate.errors import ConfigError
from gate.starter.found import Runnable, chosen, given, runnables
from gate.starter.manifest import Manifest, read_manifest


def test_console_scripts_are_read_from_every_file(tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "kit"\ndependencies = []\n[project.scripts]\na = "kit.a:main"\n'
        '[tool.poetry.scripts]\nb = { callable = "kit.b:main" }\n'
    )
    (tmp_path / "setup.cfg").write_text(
        "[options.entry_points]\nconsole_scripts =\n  c = kit.c:main [extra]\n  a = other:main\n[metadata]\nname=x\n"
    )
    (tmp_path / "setup.py").write_text(
        "from setuptools import setup\nsetup(entry_points={'console_scripts': ['d=kit.d:main']})\n"
    )
    assert read_manifest(tmp_path) == Manifest(
        installable=True,
        name="kit",
        scripts=(("a", "kit.a:main"), ("b", "kit.b:main"), ("c", "kit.c:main"), ("d", "kit.d:main")),
    )


def test_a_setup_py_is_never_run(tmp_path):
    (tmp_path / "setup.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w')\nfrom setuptools import setup\nsetup(name='x')\n"
    )
    assert read_manifest(tmp_path).name == "x"
    assert not (tmp_path / "ran").exists()


def test_computed_entry_points_are_told_and_may_be_named(tmp_path):
    (tmp_path / "setup.py").write_text(
        "from setuptools import setup\nsetup(entry_points={'console_scripts': [f'{b}=k:main' for b in bins]})\n"
    )
    manifest = read_manifest(tmp_path)
    assert manifest.notes == ("setup.py computes its entry points; name one of its programs: gate init --script NAME",)
    assert chosen((), manifest, script="cut", folder="k") == Runnable(name="cut", script=True)
    with pytest.raises(ConfigError) as refused:
        chosen((), manifest, script=None, folder="k")
    assert refused.value.next_step == manifest.notes[0]


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ('[project]\nname="x"\ndependencies=["click"]\n', True),
        ('[project]\nname="x"\ndynamic=["dependencies"]\n', True),
        ('[project]\nname="x"\n[project.optional-dependencies]\ncli=["click"]\n', True),
        ('[project]\nname="x"\n[project.optional-dependencies]\ndocs=["sphinx"]\n', False),
        ('[tool.poetry]\nname="x"\n[tool.poetry.dependencies]\npython="^3.11"\n', False),
        ('[tool.poetry]\nname="x"\n[tool.poetry.dependencies]\npython="^3.11"\nrich="*"\n', True),
    ],
)
def test_dependencies_are_found(tmp_path, text, needs):
    (tmp_path / "pyproject.toml").write_text(text)
    assert read_manifest(tmp_path).needs is needs


def test_a_pyproject_that_is_no_toml_is_one_error(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project\n")
    with pytest.raises(ConfigError) as refused:
        read_manifest(tmp_path)
    assert refused.value.what.startswith("pyproject.toml: expected TOML, got: ")
    assert refused.value.next_step == "Mend it, or name the program yourself: gate init --program 'WORDS'"


def test_a_pyproject_of_strange_shapes_is_told(tmp_path):
    (tmp_path / "pyproject.toml").write_text('project = 3\n[tool]\npoetry = "x"\n[build-system]\n')
    assert read_manifest(tmp_path) == Manifest(installable=True)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = 5\nscripts = ["a"]\ndependencies = "x"\n')
    manifest = read_manifest(tmp_path)
    assert (manifest.name, manifest.scripts) == ("", ())
    assert manifest.notes == ("pyproject.toml: project.scripts: expected a table, got list; it was left out",)


def test_packages_with_a_main_are_found_where_no_script_starts_them(tmp_path):
    for name in ("src/one", "two", "tests", "covered"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "__main__.py").touch()
    manifest = Manifest(scripts=(("run-it", "covered.cli:main"),))
    found, notes = runnables(tmp_path, manifest)
    assert [each.name for each in found] == ["run-it", "two", "one"]
    assert notes == ()


def test_a_script_that_would_leave_its_folder_is_left_out_and_told(tmp_path):
    found, notes = runnables(tmp_path, Manifest(scripts=(("/../x\n", "a:b"), ("y", "a:b; import os"))))
    assert found == ()
    assert notes == (
        "console script /../x\\n = a:b: expected a program's name and module:function; it was left out",
        "console script y = a:b; import os: expected a program's name and module:function; it was left out",
    )


def test_the_one_named_like_the_project_is_taken_else_the_first():
    found = (
        Runnable(name="first", script=True),
        Runnable(name="my-tool", script=True),
        Runnable(name="folder", script=True),
    )
    assert chosen(found, Manifest(name="My_Tool"), script=None, folder="folder").name == "my-tool"
    assert chosen(found, Manifest(name="other"), script=None, folder="folder").name == "folder"
    assert chosen(found, Manifest(), script=None, folder="x").name == "first"
    assert chosen(found, Manifest(), script="folder", folder="x").name == "folder"


def test_nothing_to_run_is_one_error_that_says_how_to_name_it():
    with pytest.raises(ConfigError) as refused:
        chosen((), Manifest(), script=None, folder="x")
    assert refused.value.diagnostics() == (
        "nothing to run was found: expected a console script in pyproject.toml, setup.cfg or setup.py, or a package with __main__.py, "
        "found neither\n"
        "Name it: gate init --program 'WORDS', a file of the tree and words before it, e.g. 'node cli.js'."
    )


def test_a_script_that_is_not_there_names_those_that_are():
    with pytest.raises(ConfigError, match=r"expected one of what was found \(a, b\), got 'c'"):
        chosen((Runnable(name="a"), Runnable(name="b")), Manifest(), script="c", folder="x")


@pytest.mark.parametrize("words", [[], [""], ["absent.py"], ["/bin/sh"], ["../outside.py"], ["sh", "-c", "true"]])
def test_a_command_without_a_file_of_the_tree_is_refused(tmp_path, words):
    root = tmp_path / "tree"
    root.mkdir()
    (tmp_path / "outside.py").touch()
    with pytest.raises(ConfigError, match="--program: expected"):
        given(root, words)


def test_a_command_is_named_after_its_file(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tool.js").touch()
    assert given(tmp_path, ["node", "bin/tool.js"]) == Runnable(name="tool", words=("node", "bin/tool.js"))
    assert given(tmp_path, ["python", "-m", "kit"]) == Runnable(name="kit", module="kit", words=("python", "-m", "kit"))

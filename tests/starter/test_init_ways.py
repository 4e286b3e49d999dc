"""How a program is built and started: the simplest way first."""

import pytest

from gate.starter.found import Runnable
from gate.starter.manifest import Manifest
from gate.starter.ways import ways

SCRIPT = Runnable(name="tool", module="kit.cli", function="main", script=True)


def argvs(found):
    return [way.program.argv for way in found]


def package(root, layout="", main="from kit.cli import main\nmain()\n", cli="def main(): ...\n"):
    folder = root / layout / "kit"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "cli.py").write_text(cli)
    if main is not None:
        (folder / "__main__.py").write_text(main)


def test_a_tree_that_needs_nothing_is_the_build(tmp_path):
    package(tmp_path, "src")
    first, second, third = ways(tmp_path, SCRIPT, Manifest(installable=True))
    assert (first.program.argv, first.program.env) == (("{python}", "-m", "kit"), {"PYTHONPATH": "{build}/src"})
    assert first.build.command == ()
    assert second.program.argv == ("{build}/gate-env/bin/tool",)
    assert second.build.network
    assert third.program.argv == (
        "{build}/gate-env/bin/python",
        "-m",
        "kit",
    )  # where the build knows nothing of the script
    assert third.build == second.build


def test_a_main_that_does_another_thing_is_not_taken_for_the_script(tmp_path):
    package(tmp_path, main="print('hello')\n")
    assert argvs(ways(tmp_path, SCRIPT, Manifest(installable=True))) == [("{build}/gate-env/bin/tool",)]


@pytest.mark.parametrize(
    ("main", "same"),
    [
        ("from kit.client import main\nmain()\n", False),
        ("from kit.cli import main\ndef never():\n    main()\n", False),
        ("from kit.cli import maintain\nmaintain()\n", False),
        ("# kit.cli main()\nprint('main(')\n", False),
        ("main(\n", False),
        ("import sys\nfrom .cli import main as start\nif __name__ == '__main__':\n    sys.exit(start())\n", True),
        ("import kit.cli\nkit.cli.main()\n", True),
        ("from kit import cli\ncli.main(prog_name='tool')\n", True),
        ("from kit import main\nmain()\n", True),
    ],
)
def test_a_main_is_the_script_where_it_calls_that_very_function(tmp_path, main, same):
    package(tmp_path, main=main)
    (tmp_path / "kit" / "__init__.py").write_text("from kit.cli import main\n")
    (tmp_path / "kit" / "client.py").write_text("def main(): ...\n")
    first = argvs(ways(tmp_path, SCRIPT, Manifest(installable=True)))[0]
    assert first == (("{python}", "-m", "kit") if same else ("{build}/gate-env/bin/tool",))


def test_a_script_of_a_main_is_started_by_it_only_where_it_starts_itself(tmp_path):
    script = Runnable(name="tool", module="kit.__main__", function="main", script=True)
    package(tmp_path, main="def main(): ...\n")
    assert argvs(ways(tmp_path, script, Manifest(installable=True)))[0] == ("{build}/gate-env/bin/tool",)
    (tmp_path / "kit" / "__main__.py").write_text("def main(): ...\nmain()\n")
    assert argvs(ways(tmp_path, script, Manifest(installable=True)))[0] == ("{python}", "-m", "kit")


def test_the_module_of_a_script_is_started_where_it_starts_itself(tmp_path):
    package(tmp_path, main=None, cli="def main(): ...\nif __name__ == '__main__':\n    main()\n")
    assert argvs(ways(tmp_path, SCRIPT, Manifest(installable=True)))[0] == ("{python}", "-m", "kit.cli")


def test_dependencies_make_an_environment_of_the_build(tmp_path):
    package(tmp_path)
    way, by_module = ways(
        tmp_path, SCRIPT, Manifest(installable=True, needs=True, extras=("cli",), version_variables=("PBR_VERSION",))
    )
    assert way.build.command == (
        "sh",
        "-c",
        "\"$0\" -m venv gate-env && PBR_VERSION=0.0.0 gate-env/bin/python -m pip install --quiet --disable-pip-version-check '.[cli]'",
        "{python}",
    )
    assert way.program.path == ("gate-env/bin",)
    assert (by_module.program.argv[1:], by_module.build) == (("-m", "kit"), way.build)


def test_a_package_with_a_main_that_needs_something_is_started_from_the_environment(tmp_path):
    package(tmp_path)
    runnable = Runnable(name="kit", module="kit")
    assert argvs(ways(tmp_path, runnable, Manifest(installable=True, needs=True))) == [
        ("{build}/gate-env/bin/python", "-m", "kit")
    ]
    assert argvs(ways(tmp_path, runnable, Manifest())) == [("{python}", "-m", "kit")]


def test_a_given_command_is_run_as_it_is_with_its_files_in_the_build(tmp_path):
    (tmp_path / "bin").mkdir()
    for name in ("cli.js", "tool.py", "bin/run.sh", "bin/own"):
        (tmp_path / name).write_text("#!/bin/sh\n")
    (tmp_path / "bin/own").chmod(0o755)

    def given(*words):
        return argvs(ways(tmp_path, Runnable(name="x", words=words), Manifest()))

    assert given("node", "cli.js", "--x") == [("node", "{build}/cli.js", "--x")]
    assert given("tool.py") == given("python3", "tool.py") == [("{python}", "{build}/tool.py")]
    assert given("bin/run.sh") == [("sh", "{build}/bin/run.sh")]
    assert given("bin/own") == [("{build}/bin/own",)]
    assert given("cli.js") == [("node", "{build}/cli.js")]


def test_a_given_python_file_may_need_what_the_tree_states(tmp_path):
    (tmp_path / "tool.py").touch()
    (tmp_path / "requirements.txt").write_text("click\n")
    first, second = ways(tmp_path, Runnable(name="tool", words=("tool.py",)), Manifest())
    assert first.program.argv == ("{python}", "{build}/tool.py")
    assert second.program.argv == ("{build}/gate-env/bin/python", "{build}/tool.py")
    assert second.build.command[2].endswith("-r requirements.txt")

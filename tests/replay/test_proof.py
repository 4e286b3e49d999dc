"""Each side proves what it runs: the starred trap that both sides load one installed package (reported fault 24)."""

import subprocess
import sys

import pytest

from gate.config.model import Program
from gate.domain import Case, CaseId, Step
from gate.errors import BuildError
from gate.replay.build import interpreter
from gate.replay.proof import Standing, prove

PATH = "/usr/local/bin:/usr/bin:/bin"


def standing(build, *sources, first=""):
    return Standing(
        side="baseline",
        build=build,
        sources=sources,
        environment={"PATH": f"{build}/{first}:{PATH}" if first else PATH},
    )


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def case(*words):
    return Case(id=CaseId("A"), steps=tuple(Step(argv=(word.encode(),)) for word in words))


@pytest.fixture
def build(tmp_path):
    (tmp_path / "build").mkdir()
    return tmp_path / "build"


def test_a_script_of_the_build_is_its_own_proof(build):
    script(build / "kv.py", "")
    outside = prove(standing(build), Program(argv=("{python}", "{build}/kv.py")), [])
    assert outside == (interpreter(),)


def test_commands_are_looked_up_in_the_build_first_and_the_rest_is_named(build):
    script(build / "bin" / "tool", "#!/bin/sh\n")
    outside = prove(standing(build, first="bin"), Program(path=("bin",)), [case("tool", "sh", "tool")])
    assert [path.rpartition("/")[2] for path in outside] == [
        __import__("os").path.realpath("/bin/sh").rpartition("/")[2]
    ]


def test_steps_that_never_touch_the_build_are_refused(build):
    with pytest.raises(BuildError, match="none of the commands cat, sh lies inside the build"):
        prove(standing(build), Program(), [case("sh", "cat")])


def test_a_shell_script_that_runs_a_command_of_the_build_is_proof(build):
    script(build / "bin" / "tool", "#!/bin/sh\n")
    words = Case(id=CaseId("A"), steps=(Step(argv=(b"sh", b"-c", b"cd x && tool --all | sort")),))
    outside = prove(standing(build, first="bin"), Program(path=("bin",)), [words])
    assert "sort" in {path.rpartition("/")[2] for path in outside}


def test_a_program_outside_the_build_is_refused(build):
    with pytest.raises(BuildError, match="none of its words is a file of the build"):
        prove(standing(build), Program(argv=("sh", "-c", "true")), [])


def test_a_program_that_is_not_there_is_told(build):
    with pytest.raises(BuildError, match="the program no-such-tool is not there"):
        prove(standing(build), Program(argv=("no-such-tool",)), [])


def test_a_link_of_the_build_that_leads_out_proves_nothing(build, tmp_path):
    script(tmp_path / "old" / "tool", "#!/bin/sh\n")
    (build / "tool").symlink_to(tmp_path / "old" / "tool")
    with pytest.raises(BuildError, match="none of its words is a file of the build"):
        prove(standing(build), Program(argv=("{build}/tool",)), [])


def test_a_copied_environment_still_runs_the_one_it_was_copied_from(build, tmp_path):
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    script(build / "bin" / "greet", f"#!{tmp_path}/venv/bin/python\n")
    with pytest.raises(BuildError, match="is run by .*/venv/bin/python, an environment outside of the build"):
        prove(standing(build, first="bin"), Program(), [case("greet")])


def test_an_editable_install_inside_a_build_is_refused(build, tmp_path):
    packages = build / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    (tmp_path / "checkout").mkdir()
    (packages / "greet.pth").write_text(f"{tmp_path}/checkout\n")
    script(build / "bin" / "greet", "#!/bin/sh\n")
    with pytest.raises(BuildError, match="greet.pth loads code from .*/checkout, outside of the build"):
        prove(standing(build, first="bin"), Program(), [case("greet")])


def test_an_editable_finder_and_an_editable_url_are_seen_too(build, tmp_path):
    packages = build / "lib" / "python3.11" / "site-packages"
    info = packages / "greet-1.dist-info"
    info.mkdir(parents=True)
    (tmp_path / "my checkout").mkdir()
    script(build / "bin" / "greet", "#!/bin/sh\n")
    finder = packages / "__editable___greet_finder.py"
    finder.write_text(f"MAPPING = {{'greet': '{tmp_path}/my checkout'}}\n")
    with pytest.raises(BuildError, match="__editable___greet_finder.py loads code from"):
        prove(standing(build, first="bin"), Program(), [case("greet")])
    finder.unlink()
    (info / "direct_url.json").write_text(
        f'{{"url": "file://{tmp_path}/my%20checkout", "dir_info": {{"editable": true}}}}'
    )
    with pytest.raises(BuildError, match="direct_url.json loads code from .*/my checkout"):
        prove(standing(build, first="bin"), Program(), [case("greet")])


@pytest.mark.parametrize("where", ["src", ""])
def test_python_dash_m_must_load_the_module_from_the_build(build, where):
    script(build / "src" / "greet" / "__main__.py", "")
    script(build / "src" / "greet" / "__init__.py", "")
    held = Standing(
        side="candidate",
        build=build,
        sources=(),
        environment={"PATH": PATH, "PYTHONPATH": str(build / where) if where else ""},
    )
    program = Program(argv=("{python}", "-m", "greet"))
    if where:
        assert prove(held, program, []) == (interpreter(),)
    else:
        with pytest.raises(BuildError, match="module greet is loaded from nowhere, not from the build"):
            prove(held, program, [])


@pytest.mark.slow
def test_an_editable_install_beside_the_shared_interpreter_is_refused(build, tmp_path, monkeypatch):
    """`pip install -e .` of the old tree, then old tree against new tree: both would load the old one."""
    environment = tmp_path / "shared"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    checkout = tmp_path / "checkout"
    script(checkout / "src" / "greet.py", "print('hi')")
    packages = next((environment / "lib").glob("python3*/site-packages"))
    (packages / "__editable__.greet.pth").write_text(f"{checkout}/src\n")
    monkeypatch.setattr("gate.replay.build.interpreter", lambda: str(environment / "bin" / "python"))
    script(build / "run.py", "import greet")
    with pytest.raises(BuildError, match="loads an editable install of .*/checkout/src"):
        prove(standing(build, checkout), Program(argv=("{python}", "{build}/run.py")), [])

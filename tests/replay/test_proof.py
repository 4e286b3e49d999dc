"""Each side proves what it runs: the starred trap that both sides load one installed package (reported fault 24)."""

import subprocess
import sys
from pathlib import Path

import pytest

from gate.config.model import Program
from gate.domain import Case, CaseId, Step
from gate.errors import BuildError, ReplayError
from gate.replay.build import interpreter
from gate.replay.proof import Standing, prove
from gate.replay.proof_command import script_line

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
    outside = prove(standing(build), Program(argv=("{python}", "{build}/kv.py")), []).outside
    assert outside == (interpreter(),)


def test_commands_are_looked_up_in_the_build_first_and_the_rest_is_named(build):
    script(build / "bin" / "tool", "#!/bin/sh\n")
    outside = prove(standing(build, first="bin"), Program(path=("bin",)), [case("tool", "sh", "tool")]).outside
    assert [Path(path).name for path in outside] == [Path("/bin/sh").resolve().name]


def test_steps_that_never_touch_the_build_are_refused(build):
    with pytest.raises(BuildError, match="none of the commands cat, sh lies inside the build"):
        prove(standing(build), Program(), [case("sh", "cat")])


def test_a_step_of_no_words_without_a_program_is_refused_with_its_place(build):
    empty = Case(id=CaseId("A"), steps=(Step(argv=(b"tool",)), Step(argv=())))
    script(build / "bin" / "tool", "#!/bin/sh\n")
    with pytest.raises(ReplayError, match="case A, step 2: expected a word, got none, and program.argv .* none either"):
        prove(standing(build, first="bin"), Program(path=("bin",)), [empty])
    assert prove(standing(build), Program(argv=("{build}/bin/tool",)), [empty]).outside == ()


def test_a_shell_script_that_runs_a_command_of_the_build_is_proof(build):
    script(build / "bin" / "tool", "#!/bin/sh\n")
    words = Case(id=CaseId("A"), steps=(Step(argv=(b"sh", b"-c", b"cd x && tool --all | sort")),))
    outside = prove(standing(build, first="bin"), Program(path=("bin",)), [words]).outside
    assert "sort" in {path.rpartition("/")[2] for path in outside}


def test_a_program_outside_the_build_is_refused(build):
    with pytest.raises(BuildError, match="none of its words is a file of the build"):
        prove(standing(build), Program(argv=("sort", "--reverse")), [])


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
        assert prove(held, program, []).outside == (interpreter(),)
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


@pytest.mark.parametrize(
    ("words", "ran"),
    [
        (("-c", "print(1)", "{build}/kv.py"), "code after -c"),
        (("-uBc", "print(1)", "{build}/kv.py"), "code after -c"),
        (("-W", "ignore", "-X", "utf8", "-cprint(1)", "{build}/kv.py"), "code after -c"),
        (("/dev/null", "{build}/kv.py"), "/dev/null"),
        (("--", "/dev/null", "{build}/kv.py"), "/dev/null"),
        (("kv.py", "{build}/kv.py"), "kv.py"),
        (("-W", "{build}/kv.py"), "no program"),
        (("-V", "{build}/kv.py"), "no program"),
        (("-", "{build}/kv.py"), "no program"),
        ((), "no program"),
    ],
)
def test_what_python_runs_is_found_among_its_options(build, words, ran):
    """A file of the build that is only an argument proves nothing."""
    script(build / "kv.py", "")
    with pytest.raises(BuildError, match=f"lets .* run {ran}, and not a file of the build"):
        prove(standing(build), Program(argv=("{python}", *words)), [])


@pytest.mark.parametrize(
    "words",
    [
        ("-u", "{build}/kv.py", "-c", "x"),
        ("-uB", "-Wignore", "-X", "utf8", "--check-hash-based-pycs", "never", "{build}/kv.py"),
        ("--", "{build}/kv.py"),
        ("-I", "{build}/kv.py"),
        ("{build}",),
    ],
)
def test_a_script_after_options_of_python_is_proof(build, words):
    script(build / "kv.py", "")
    assert prove(standing(build), Program(argv=("{python}", *words)), []).outside == (interpreter(),)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("sh", "-c", "echo", "{build}/run.sh"), "lets sh run code after -c"),
        (("sh", "-ec", "echo", "{build}/run.sh"), "lets sh run code after -ec"),
        (("perl", "-ne", "1", "{build}/run.sh"), "lets perl run code after -ne"),
        (("sh", "/etc/passwd", "{build}/run.sh"), "lets sh run /etc/passwd, outside of the build"),
        (("sh", "run.sh"), "none of its words is a file of the build"),
        (("env", "{python}", "-c", "1", "{build}/run.sh"), "run code after -c, and not a file"),
        (("env", "-i", "{python}", "{build}/kv.py"), "lets env run something after -i"),
        (
            ("env", "PYTHONPATH={build}/../shared", "{python}", "{build}/kv.py"),
            "module greet of the build is loaded from",
        ),
    ],
)
def test_a_launcher_must_name_a_file_of_the_build_first(build, tmp_path, words, error):
    script(build / "run.sh", "")
    script(build / "kv.py", "")
    script(build / "src" / "greet.py", "")
    script(tmp_path / "shared" / "greet.py", "")
    with pytest.raises(BuildError, match=error):
        prove(standing(build), Program(argv=words), [])


@pytest.mark.parametrize(
    "words",
    [("sh", "-e", "{build}/run.sh"), ("env", "A=b", "{build}/run.sh"), ("env", "A=b", "{python}", "{build}/kv.py")],
)
def test_a_launcher_of_a_file_of_the_build_is_proof(build, words):
    script(build / "run.sh", "#!/bin/sh\n")
    script(build / "kv.py", "")
    assert len(prove(standing(build), Program(argv=words), []).outside) == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("#!/x/python -s\n", ("/x/python", "-s")),
        ("#! /x/python\n", ("/x/python",)),
        ("#!/bin/sh\n'''exec' /x/long/python \"$0\" \"$@\"\n' '''\n", ("/x/long/python",)),
        ("#!/bin/sh\n'''exec' \"/x/a b/python\" \"$0\" \"$@\"\n' '''\n", ("/x/a b/python",)),
        (
            "#!/bin/sh\n'''exec' \"$(dirname -- \"$(realpath -- \"$0\")\")\"/'python' \"$0\" \"$@\"\n' '''\n",
            ("{build}/bin/python",),
        ),
        ("#!/usr/bin/env -S A=b sh -e\n", ("/bin/sh", "-e")),
        ("#!/usr/bin/env no-such-program\n", ()),
        ("#!/bin/sh\necho\n", ("/bin/sh",)),
        ("echo\n", ()),
        ("", ()),
    ],
)
def test_the_first_lines_of_a_script_name_its_interpreter(build, text, line):
    path = script(build / "bin" / "tool", text)
    told = Standing(side="baseline", build=build, sources=(), environment={"PATH": "/bin"})
    assert script_line(told, path) == tuple(word.replace("{build}", str(build)) for word in line)


def test_a_link_out_of_an_environment_of_the_build_is_no_program_of_it(build, tmp_path):
    """Only the interpreter of a virtual environment may be a link that leads out."""
    script(tmp_path / "old" / "tool", "#!/bin/sh\n")
    script(build / "env" / "pyvenv.cfg", "")
    (build / "env" / "bin").mkdir()
    (build / "env" / "bin" / "tool").symlink_to(tmp_path / "old" / "tool")
    with pytest.raises(BuildError, match="none of the commands tool lies inside the build"):
        prove(standing(build, first="env/bin"), Program(), [case("tool")])


def shadowed(build, tmp_path, **files):
    """A proof where `shared` comes first on the path of a script in the root of the build."""
    script(build / "kv.py", "")
    for place in files.values():
        script(tmp_path / place, "")
    held = Standing(
        side="candidate", build=build, sources=(), environment={"PATH": PATH, "PYTHONPATH": str(tmp_path / "shared")}
    )
    return prove(held, Program(argv=("{python}", "{build}/kv.py")), []).outside


@pytest.mark.parametrize(
    "mine", ["build/src/greet.py", "build/lib/greet.py", "build/python/greet/part.py", "build/src/greet/a/b.py"]
)
@pytest.mark.parametrize("other", ["shared/greet.py", "shared/greet/__init__.py", "shared/greet/part.py"])
def test_a_module_of_the_build_that_lies_elsewhere_for_python_is_refused(build, tmp_path, mine, other):
    """Also where one of them, or both, are namespace packages."""
    with pytest.raises(BuildError, match="module greet of the build is loaded from .*/shared/greet"):
        shadowed(build, tmp_path, mine=mine, other=other)


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        ("build/greet.py", "shared/greet.py"),  # beside the script: first on its path
        ("build/src/greet.py", "shared/other.py"),
        ("build/src/json.py", "shared/other.py"),
        ("build/src/docs.py", "shared/docs.py"),
        ("build/src/greet.txt", "shared/greet.py"),
        ("build/src/greet.old.py", "shared/greet.py"),
        ("build/tests/greet.py", "shared/greet.py"),
    ],
)
def test_what_no_copy_wins_over_is_proof(build, tmp_path, mine, other):
    assert shadowed(build, tmp_path, mine=mine, other=other) == (interpreter(),)


def test_a_copy_of_a_standard_module_is_no_standard_module(build, tmp_path):
    with pytest.raises(BuildError, match="module json of the build is loaded from .*/shared/json"):
        shadowed(build, tmp_path, mine="build/src/json.py", other="shared/json.py")


def test_an_option_that_ignores_the_environment_is_heeded(build, tmp_path):
    script(build / "kv.py", "")
    script(build / "src" / "greet.py", "")
    script(tmp_path / "shared" / "greet.py", "")
    held = Standing(
        side="candidate", build=build, sources=(), environment={"PATH": PATH, "PYTHONPATH": str(tmp_path / "shared")}
    )
    assert prove(held, Program(argv=("{python}", "-E", "{build}/kv.py")), []).outside == (interpreter(),)


def test_a_fixture_that_wins_over_the_module_of_dash_m_is_refused(build, tmp_path):
    script(build / "src" / "greet.py", "")
    script(tmp_path / "fixtures" / "greet.py", "")
    held = Standing(
        side="candidate",
        build=build,
        sources=(),
        environment={"PATH": PATH, "PYTHONPATH": str(build / "src")},
        work=tmp_path / "fixtures",
    )
    with pytest.raises(BuildError, match="module greet is loaded from .*/fixtures/greet.py, not from the build"):
        prove(held, Program(argv=("{python}", "-m", "greet")), [])


def test_an_interpreter_that_cannot_tell_is_refused(build):
    script(build / "bin" / "python3", "#!/bin/sh\necho broken >&2; exit 1\n")
    with pytest.raises(BuildError, match="python3 cannot tell where it loads modules from: broken"):
        prove(standing(build, first="bin"), Program(), [case("python3")])

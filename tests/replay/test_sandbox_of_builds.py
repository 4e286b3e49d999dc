"""Build commands in a sandbox, and the interpreters that a proof asks."""

from __future__ import annotations

import socket
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gate.config.model import Build, Program
from gate.domain import Case, Step
from gate.errors import BuildError
from gate.replay.build import build_key, make_build, read_source
from gate.replay.proof import Standing, prove
from gate.replay.sandbox import NO_SANDBOX, Sandbox

Made = Callable[..., Path]


@pytest.fixture
def made(sandbox: Sandbox, tmp_path: Path) -> Made:
    def make(*command: str, box: Sandbox = sandbox, **settings: object) -> Path:
        tree = tmp_path / "tree"
        tree.mkdir(exist_ok=True)
        (tree / "code").write_text("code")
        make_build(
            read_source("candidate", tree),
            Build(command=command, **settings),  # type: ignore[arg-type]
            parked=tmp_path / "parked",
            place=tmp_path / "place",
            home=tmp_path / "home",
            log=tmp_path / "build.log",
            sandbox=box,
        )
        return tmp_path / "parked"

    return make


def test_a_build_writes_to_its_place_and_its_home_alone(made: Made, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    parked = made(
        "sh", "-c", f"pwd > made; echo 1 > ~/cache; echo 2 > {other}/new; echo 3 > /etc/gate-new; ls {tmp_path}; true"
    )
    assert (parked / "made").read_text() == f"{tmp_path}/place\n"
    assert (tmp_path / "home" / "cache").read_text() == "1\n"
    assert (list(other.iterdir()), Path("/etc/gate-new").exists()) == ([], False)
    assert (tmp_path / "build.log").read_text().splitlines()[-2:] == ["home", "place"]


def test_a_build_reaches_the_network_when_it_may(made: Made, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), timeout=5)"
        with pytest.raises(BuildError) as caught:
            made(sys.executable, "-S", "-c", code)
        assert caught.value.next_step == (
            f"Nothing was compared. The whole output is in {tmp_path}/build.log."
            " The sandbox gave it no network: build.network = true in gate.toml would."
        )
        assert made(sys.executable, "-S", "-c", code, network=True).exists()


def test_a_build_with_a_network_sees_nothing_of_the_home_but_what_it_is_told_of(
    made: Made, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory(dir=Path.home(), prefix=".gate-test-") as folder:
        home = Path(folder)
        for name in ("key", "given", "apart/given"):
            (home / name).parent.mkdir(exist_ok=True)
            (home / name).write_text(name)
        monkeypatch.setenv("HOME", folder)
        monkeypatch.setenv("PIP_CERT", f"{folder}/given")
        monkeypatch.setenv("PIP_MORE", f"{folder}/apart/given")
        box = replace(sandbox, hidden=(home / "apart",))
        look = ("sh", "-c", f"cd {folder} && find . -type f | sort > {tmp_path}/place/seen")
        settings = {"pass_env": ("PIP_*",), "box": box}
        assert (made(*look, network=True, **settings) / "seen").read_text() == "./given\n"
        assert (made(*look, **settings) / "seen").read_text() == "./given\n./key\n"


@pytest.mark.parametrize("settings", [{"network": True}, {"box": NO_SANDBOX}], ids=["network", "no sandbox"])
def test_a_build_that_had_a_network_is_not_told_of_it(made: Made, settings: dict[str, object]) -> None:
    with pytest.raises(BuildError) as caught:
        made("false", **settings)
    assert "network" not in caught.value.next_step


def test_a_command_that_is_missing_is_told_alike(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    whats = []
    for settings in ({}, {"box": NO_SANDBOX}):
        with pytest.raises(BuildError) as caught:
            made("no-such-compiler", **settings)
        whats.append(caught.value.what)
    assert whats == ["candidate: the build command cannot start: no-such-compiler: No such file or directory"] * 2


@pytest.mark.slow
def test_a_build_that_takes_too_long_leaves_nothing(made: Made, no_hang: None, gone: Callable[[str], bool]) -> None:
    with pytest.raises(BuildError, match="took longer than 1 s"):
        made("sh", "-c", "setsid sleep 4714.25 & sleep 4714.25", timeout=1.0)
    assert gone("4714.25")


def test_tools_of_a_path_in_a_private_folder_run(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "tools" / "bin" / "compile"
    tool.parent.mkdir(parents=True)
    tool.write_text('#!/bin/sh\ncat "$(dirname "$0")/../share" > made\n')
    (tmp_path / "tools" / "share").write_text("shared")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:/usr/bin:/bin")
    assert (made("compile") / "made").read_text() == "shared"


def test_a_command_in_a_private_folder_runs(made: Made, tmp_path: Path) -> None:
    """Named by its path: in a `bin` with what lies around it, and at the end of a link."""
    tool = tmp_path / "tools" / "bin" / "compile"
    tool.parent.mkdir(parents=True)
    tool.write_text('#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/../share" > made\n')
    (tmp_path / "tools" / "share").write_text("shared")
    tool.chmod(0o755)
    link = tmp_path / "links" / "cc"
    link.parent.mkdir()
    link.symlink_to(tool)
    for word in (tool, link):
        assert (made(str(word)) / "made").read_text() == "shared"


def test_a_build_chooses_nothing_that_it_sees_by_a_link(made: Made, tmp_path: Path) -> None:
    """`{build}/run` is the patch's own file; here it leads out of the build."""
    secret = tmp_path / "secret" / "tool"
    secret.parent.mkdir()
    secret.write_text("#!/bin/sh\n")
    secret.chmod(0o755)
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "run").symlink_to(secret)
    with pytest.raises(BuildError, match=r"(?s)ended with .*/place/run: No such file or directory"):
        made("{build}/run")


@pytest.mark.parametrize("word", ["/no/such/compiler", "./no-such-compiler", "no-such-compiler"])
def test_a_missing_command_is_told_without_a_word_about_the_network(made: Made, word: str) -> None:
    with pytest.raises(
        BuildError, match=f"the build command cannot start: {word}: No such file or directory"
    ) as caught:
        made(word)
    assert "network" not in caught.value.next_step
    with pytest.raises(BuildError, match="ended with 127") as caught:
        made("sh", "-c", word)
    assert "network" not in caught.value.next_step


def test_builds_with_and_without_a_sandbox_or_a_network_are_kept_apart(sandbox: Sandbox, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "code").touch()
    source = read_source("baseline", tree)
    keys = {
        build_key(source, Build(command=("make",), network=network), at=tmp_path, sandbox=box)
        for network in (False, True)
        for box in (sandbox, NO_SANDBOX)
    }
    assert len(keys) == 3
    plain = {build_key(source, Build(), at=tmp_path, sandbox=box) for box in (sandbox, NO_SANDBOX)}
    assert len(plain) == 1


@pytest.mark.parametrize("active", [True, False], ids=["sandbox", "off"])
def test_an_interpreter_that_is_asked_cannot_write_outside(sandbox: Sandbox, tmp_path: Path, active: bool) -> None:
    """A `sitecustomize` of the build runs as soon as its interpreter starts."""
    build = tmp_path / "build"
    build.mkdir()
    (build / "main.py").write_text("import code_of_it\n")
    (build / "code_of_it.py").touch()
    escape = tmp_path / "escape"
    (build / "sitecustomize.py").write_text(
        f"try:\n    open({str(escape)!r}, 'w').close()\nexcept OSError:\n    pass\n"
    )
    standing = Standing(
        side="candidate",
        build=build,
        sources=(),
        environment={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(build),
            "LC_ALL": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        sandbox=sandbox if active else NO_SANDBOX,
    )
    argv = (sys.executable, "{build}/main.py")
    prove(standing, Program(argv=argv), [Case(id="a", steps=(Step(argv=(b"x",)),))])  # type: ignore[arg-type]
    assert escape.exists() != active

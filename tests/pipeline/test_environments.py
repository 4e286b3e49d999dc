"""Two sides that run on different environments give no verdict, unless the patch asked for it."""

import shutil

import pytest

from gate.errors import BuildError
from gate.pipeline import environments
from gate.replay.proof import Proof

TOOL = '#!/bin/sh\ncat "${0%/*}/../lib/attrs.txt"; echo did $1\n'


@pytest.fixture
def fetching(bench, tmp_path):
    """A project whose build copies what an index holds that day."""
    index = tmp_path / "index"
    (bench.root / "gate.toml").write_text(
        f'version = 1\n[program]\npath = ["bin"]\n[build]\ncommand = ["cp", "-r", "{index}", "lib"]\n'
    )
    bench.pin()
    bench.side("old", TOOL)
    bench.side("new", TOOL + "# tidied\n")

    def hold(version):
        shutil.rmtree(index, ignore_errors=True)
        for name, each in (("attrs", version), ("zope", "1")):
            (index / f"{name}-{each}.dist-info").mkdir(parents=True)
            (index / f"{name}-{each}.dist-info" / "METADATA").write_text(f"Name: {name}\nVersion: {each}\n")
        (index / "attrs.txt").write_text(f"attrs {version}\n")

    hold("23.1")
    bench.hold = hold
    return bench


def build_baseline(bench):
    bench.run(candidate=None)


def test_the_same_dependencies_on_both_sides_are_no_matter(fetching):
    assert fetching.run().scorecard.exit_code == 0


@pytest.mark.parametrize("golden", ["kept", "forgotten"])
def test_dependencies_that_moved_between_two_builds_are_no_verdict(fetching, golden):
    """Reported fault 15. Whether the golden is kept, or only the build: a cache must not hide it."""
    build_baseline(fetching)
    if golden == "forgotten":
        shutil.rmtree(fetching.root / ".gate" / "cache" / "goldens")
    fetching.hold("24.2")
    with pytest.raises(BuildError) as told:
        fetching.run()
    assert told.value.what == (
        "the two sides were built with different dependencies, which the patch did not ask for: "
        "attrs 23.1 on the baseline, 24.2 on the candidate"
    )
    assert "Pin them in a file of the tree" in told.value.next_step


def test_it_is_no_verdict_either_where_what_was_known_of_the_golden_is_gone(fetching):
    build_baseline(fetching)
    shutil.rmtree(fetching.root / ".gate" / "cache" / "environments")
    fetching.hold("24.2")
    with pytest.raises(BuildError, match=r"attrs 23\.1 on the baseline, 24\.2 on the candidate"):
        fetching.run()


@pytest.mark.slow
def test_where_the_patch_changes_a_dependency_file_what_follows_is_a_delta(fetching):
    build_baseline(fetching)
    fetching.hold("24.2")
    (fetching.root / "new" / "requirements-dev.txt").write_text("attrs==24.2\n")
    done = fetching.run()
    assert done.scorecard.exit_code == 1
    assert [text for text in fetching.told if "dependencies" in text] == [
        "note: the patch changes requirements-dev.txt; the two sides were built with different dependencies: "
        "attrs 23.1 on the baseline, 24.2 on the candidate"
    ]


def test_a_file_of_another_name_asks_for_nothing(fetching):
    build_baseline(fetching)
    fetching.hold("24.2")
    (fetching.root / "new" / "requirements.md").write_text("attrs==24.2\n")
    with pytest.raises(BuildError):
        fetching.run()


@pytest.fixture
def interpreters(bench, monkeypatch):
    """Sides whose interpreters are said to be others: no machine has two for certain."""
    bench.side("new", "#!/bin/sh\necho did $1\n# tidied\n")
    told = {"baseline": ("cpython 3.11.4, x86_64-linux-gnu",), "candidate": ("cpython 3.12.1, x86_64-linux-gnu",)}
    real = environments._standing

    def standing(sides, side):
        sides.proofs[side] = Proof(outside=(), interpreters=told[side])
        return real(sides, side)

    monkeypatch.setattr(environments, "_standing", standing)
    bench.interpreters = told
    return bench


def test_different_interpreters_are_no_verdict(interpreters):
    """Reported fault 15."""
    with pytest.raises(BuildError) as told:
        interpreters.run()
    assert told.value.what == (
        "the two sides run on different interpreters, which the patch did not ask for: "
        "cpython 3.11.4, x86_64-linux-gnu on the baseline, cpython 3.12.1, x86_64-linux-gnu on the candidate"
    )


@pytest.mark.parametrize(("file", "asked"), [(".python-version", True), ("requirements.txt", False)])
def test_a_patch_that_names_another_python_may_run_on_it(interpreters, file, asked):
    (interpreters.root / "new" / file).write_text("3.12\n")
    if asked:
        assert interpreters.run().scorecard.exit_code == 0
        assert [text for text in interpreters.told if ".python-version" in text]
    else:
        with pytest.raises(BuildError):
            interpreters.run()


def test_an_interpreter_that_one_side_alone_starts_is_the_patch_itself(interpreters):
    interpreters.interpreters["baseline"] = ()
    assert interpreters.run().scorecard.exit_code == 0


@pytest.mark.slow
def test_a_program_of_python_tells_what_it_runs_on(bench):
    """The same interpreter on both sides, asked for in earnest."""
    program = "#!/usr/bin/env python3\nprint('did', __import__('sys').argv[1])\n"
    bench.side("old", program)
    bench.side("new", program + "# tidied\n")
    assert bench.run().scorecard.exit_code == 0
    (kept,) = (bench.root / ".gate" / "cache" / "environments").iterdir()
    assert b'{"interpreters":["cpython 3.' in kept.read_bytes()

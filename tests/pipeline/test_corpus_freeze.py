"""Setting aside the cases that are not steady on the baseline."""

import pytest
from scratch_repository import Repository, forget_git_of_mine

from gate.cli.corpus_freeze import _lines
from gate.config.load import load_project
from gate.corpus.aside import read_aside
from gate.corpus.format import read_corpus, with_case, write_corpus
from gate.domain import Case, CaseId, Step
from gate.errors import CorpusError, ReplayError
from gate.pipeline import corpus_freeze
from gate.pipeline.corpus_freeze import freeze_corpus, freeze_corpus_at_commit
from gate.pipeline.events import silence
from gate.replay.environment import hash_seed

STEADY = "#!/bin/sh\necho did $1\n"
FLIPS = STEADY + "[ $1 = two ] && echo seed $PYTHONHASHSEED\nexit 0\n"
SEEDS = [hash_seed(CaseId("A"), run) for run in range(3)]


def frozen(bench, runs=3):
    return freeze_corpus(
        load_project(bench.root), bench.root / "old", runs=runs, workers=1, sandbox="off", listen=silence
    )


def files(bench):
    return {path.name: path.read_bytes() for path in sorted((bench.root / "gate").iterdir())}


def test_a_steady_program_changes_no_byte(bench):
    before = files(bench)
    done = frozen(bench)
    assert (done.aside, done.kept, done.changed) == ((), 2, False)
    assert files(bench) == before


def test_a_case_that_wavers_is_set_aside_with_the_reason_and_the_values(bench):
    bench.side("old", FLIPS)
    done = frozen(bench)
    (row,) = read_aside(bench.root / "gate" / "aside.jsonl")
    assert (row.case.id, row.reason) == ("A", "the baseline disagrees with itself in 3 runs: step 2 stdout")
    assert [(value.text, value.runs) for value in row.checks[0].values] == [
        (f"did two\nseed {SEEDS[0]}\n", 1),
        (f"did two\nseed {SEEDS[1]}\n", 1),
        (f"did two\nseed {SEEDS[2]}\n", 1),
    ]
    assert [case.id for case in read_corpus(bench.root / "gate" / "corpus.jsonl").cases] == ["B"]
    assert list(_lines(done, 3)) == [
        "set aside A",
        "  step 2 (tool), stdout:",
        f'    "did two\\nseed {SEEDS[0]}\\n" in 1 of 3 runs',
        f'    "did two\\nseed {SEEDS[1]}\\n" in 1 of 3 runs',
        f'    "did two\\nseed {SEEDS[2]}\\n" in 1 of 3 runs',
        "    cure: a noise rule would cover what varies, and hide a change there while the baseline wavers: "
        "seed = '^seed (?P<noise>[0-9]{10})$'",
        "      [[noise]]",
        '      name = "seed"',
        "      pattern = '^seed (?P<noise>[0-9]{10})$'",
        '      fields = ["stdout"]',
        '      commands = ["tool"]',
        "1 case set aside after 3 runs of the baseline; 1 case left in the corpus",
    ]


def test_a_second_time_changes_nothing_more(bench):
    bench.side("old", FLIPS)
    frozen(bench)
    before = files(bench)
    assert not frozen(bench).changed
    assert files(bench) == before


def test_what_a_noise_rule_covers_stays(bench):
    bench.side("old", FLIPS)
    toml = (bench.root / "gate.toml").read_text()
    (bench.root / "gate.toml").write_text(toml + "[[noise]]\nname = 'seed'\npattern = 'seed (?P<noise>\\d+)'\n")
    assert frozen(bench).aside == ()


def test_an_empty_remainder_is_refused_and_nothing_is_written(bench):
    bench.side("old", "#!/bin/sh\necho seed $PYTHONHASHSEED\n")
    before = files(bench)
    with pytest.raises(CorpusError, match="no case would be left: expected one of 2"):
        frozen(bench)
    assert files(bench) == before


def test_an_interruption_between_the_two_files_is_made_good_by_the_next_run(bench, monkeypatch):
    bench.side("old", FLIPS)
    before = files(bench)["corpus.jsonl"]

    def interrupted(path, corpus):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(corpus_freeze, "write_corpus", interrupted)
        with pytest.raises(KeyboardInterrupt):
            frozen(bench)
    assert files(bench)["corpus.jsonl"] == before
    done = frozen(bench)
    assert ([row.case.id for row in done.aside], done.returned, done.kept) == (["A"], (), 1)
    assert [row.case.id for row in read_aside(bench.root / "gate" / "aside.jsonl")] == ["A"]


def test_a_line_in_the_file_takes_no_steady_case_out_of_the_corpus(bench):
    """Else a patch that adds one would hide what it changes."""
    bench.side("old", FLIPS)
    frozen(bench)
    bench.corpus(A=["tool one", "tool two"], B=["tool one"])
    bench.side("old", "#!/bin/sh\necho steady $1\n")
    before = files(bench)["corpus.jsonl"]
    done = frozen(bench)
    assert (done.aside, done.returned, done.kept, done.changed) == ((), ("A",), 2, True)
    assert files(bench)["corpus.jsonl"] == before
    assert read_aside(bench.root / "gate" / "aside.jsonl") == ()


def test_a_run_that_does_not_come_to_its_end_writes_nothing(bench):
    bench.side("old", "#!/bin/sh\nexit 3\n")
    before = files(bench)
    with pytest.raises(ReplayError, match="did exactly the same on the baseline"):
        frozen(bench)
    assert files(bench) == before


def test_pins_need_not_hold_nor_be_there(bench):
    (bench.root / "gate" / "pins.json").unlink()
    assert frozen(bench).kept == 2


def test_one_run_cannot_differ_from_itself(bench):
    with pytest.raises(CorpusError, match="expected at least 2 runs, got 1"):
        frozen(bench, runs=1)


def test_another_case_under_an_id_that_is_set_aside_is_refused(bench):
    bench.side("old", FLIPS)
    frozen(bench)
    bench.corpus(A=["tool three"], B=["tool one"])
    with pytest.raises(CorpusError, match="'A': expected an id of its own"):
        frozen(bench)


def test_the_tree_of_a_commit_is_run_and_the_corpus_of_the_work_tree_is_changed(tmp_path, monkeypatch):
    forget_git_of_mine(tmp_path, monkeypatch)
    repository = Repository(tmp_path / "top")
    repository.write("bin/tool", FLIPS).chmod(0o755)
    repository.commit("flips")
    repository.tool("steady again, and not committed")
    add_case(repository.project, "B", "tool one")
    done = freeze_corpus_at_commit(
        load_project(repository.project), "main", runs=2, workers=1, sandbox="off", listen=silence
    )
    assert ([row.case.id for row in done.aside], done.kept) == (["A"], 1)
    assert [case.id for case in read_corpus(repository.project / "gate" / "corpus.jsonl").cases] == ["B"]


def add_case(project, name, words):
    file = project / "gate" / "corpus.jsonl"
    steps = (Step(argv=tuple(word.encode() for word in words.split())),)
    write_corpus(file, with_case(read_corpus(file), Case(id=CaseId(name), steps=steps)))

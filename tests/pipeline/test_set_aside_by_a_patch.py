"""Patches that set cases aside: of the judge alone, and told in words."""

import pytest
from scratch_repository import MAIN_TO_PATCH, Repository, forget_git_of_mine

from gate import api
from gate.corpus.aside import AsideCase, AsideCheck, Like, aside_bytes
from gate.corpus.contents import content_digest, drawn_id
from gate.corpus.format import with_case, write_corpus
from gate.corpus.lines import case_line
from gate.domain import Case, CaseId, Step
from gate.pipeline.events import Remark
from gate.pipeline.refs import Commits, examined_commits

CHECKS = (AsideCheck(step=1, command="tool", field="stdout", values=(), cure="drop it"),)
TWO_STEPS = Case(id=CaseId("A"), steps=tuple(Step(argv=(b"tool", word)) for word in (b"one", b"two")))
TOLD = '{"id": "A", "origin": "hand", "steps": [{"argv": ["tool", "one"]}], "covers": []}'


@pytest.fixture(autouse=True)
def no_git_of_mine(tmp_path, monkeypatch):
    forget_git_of_mine(tmp_path, monkeypatch)


def case(name="A"):
    return Case(id=CaseId(name), steps=(Step(argv=(b"tool", b"one")),))


def rows(**reasons):
    held = (AsideCase(case=case_line(case(name), ()), reason=why, checks=CHECKS) for name, why in reasons.items())
    return aside_bytes(held).decode()


def whole(reason):
    checks = '[{"step": 1, "occurrence": 1, "command": "tool", "field": "stdout", "values": [], "cure": "drop it"}]'
    return f'{{"case": {TOLD.replace("A", "C", 1)}, "reason": "{reason}", "checks": {checks}}}'


def drawn(line):
    steps = (Step(argv=tuple(line.encode().split())),)
    return Case(id=drawn_id(steps), steps=steps, origin="drawn")


def thinned(case, like):
    held = Like(case="whatever", steps=content_digest(like.steps))
    return aside_bytes([AsideCase(case=case_line(case, ()), reason="free text", checks=(), like=held)]).decode()


@pytest.mark.parametrize("folder", ["gate", "."])
def test_a_patch_of_the_product_that_sets_a_case_aside_is_refused(tmp_path, folder):
    repository = Repository(tmp_path / "repository")
    if folder == ".":
        repository.git("rm", "-q", "-r", "gate")
        repository.write("gate.toml", 'version = 1\nfolder = "."\n[program]\npath = ["bin"]\n[replay]\nconfirm = 1\n')
        write_corpus(repository.project / "corpus.jsonl", with_case(None, case()))
        api.pin(repository.project)
        repository.commit("beside gate.toml")
    name = f"{folder}/aside.jsonl".removeprefix("./")
    repository.patch(**{name.replace("/", "__"): rows(A="it wavers")})
    assert repository.refused().splitlines()[:3] == [
        "expected a patch of the product alone, got changes of the judge and of the product together",
        f"judge (1): '{name}'",
        "product (1): 'bin/tool'",
    ]
    done = repository.run(*MAIN_TO_PATCH)
    assert done.returncode == 2, done.stdout + done.stderr


def test_cases_that_are_set_aside_are_told_with_reason_and_steps(tmp_path):
    repository = Repository(tmp_path / "repository")
    repository.write("gate/aside.jsonl", rows(B="once", C="twice"))
    api.pin(repository.project)
    repository.commit("judge of the base")
    repository.git("switch", "-q", "-c", "patch")
    repository.write("gate/aside.jsonl", rows(A="it wavers\x1b[2J\n::error::x", C="thrice"))
    repository.commit("patch")
    told = []
    with examined_commits(repository.project, Commits(base="main", head="patch"), listen=told.append) as found:
        lines = found.patch.changes
    why = 'it wavers in step 1 "stdout", '
    assert lines == (
        "file changed: 'gate/aside.jsonl'",
        f'sets case A aside: {why}"it wavers\\u001b[2J\\n::error::x": {TOLD}',
        "no longer sets case B aside",
        f'sets case C aside otherwise: {why}"twice": {whole("twice")} -> {why}"thrice": {whole("thrice")}',
    )
    assert any(isinstance(event, Remark) and "sets case A aside" in event.text for event in told)


def test_what_a_thinned_case_is_like_is_told_whatever_its_reason_says(tmp_path):
    repository = Repository(tmp_path / "repository")
    other, gone = drawn("tool three"), drawn("tool four")
    repository.write("gate/aside.jsonl", thinned(other, gone))
    api.pin(repository.project)
    repository.commit("judge of the base")
    repository.branch(**{"gate__aside.jsonl": thinned(other, TWO_STEPS)})
    with examined_commits(repository.project, Commits(base="main", head="patch"), listen=lambda _: None) as found:
        told = found.patch.changes[1]
    assert told.startswith(
        f"sets case {other.id} aside otherwise: it was thinned, like a case that the corpus has not (steps sha256:"
    )
    assert " -> it was thinned, like case A: {" in told


@pytest.mark.slow
def test_a_patch_of_the_judge_whose_rows_do_not_hold_is_refused(tmp_path):
    repository = Repository(tmp_path / "repository")
    repository.branch(**{"gate__aside.jsonl": thinned(drawn("tool three"), TWO_STEPS)})
    done = repository.run(*MAIN_TO_PATCH)
    assert done.returncode == 2, done.stdout + done.stderr
    assert f"got otherwise for {drawn('tool three').id}, which is to be like A, 1 in all" in done.stderr

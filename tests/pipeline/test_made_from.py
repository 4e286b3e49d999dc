"""What a run was made from is known from the moment on that the run is the latest one."""

from datetime import date

import pytest

from gate import api
from gate.config.load import load_project
from gate.pipeline.audit import Trees, audit
from gate.pipeline.events import silence
from gate.pipeline.made_from import remembered_sides
from gate.replay.store import LocalStore

pytestmark = pytest.mark.slow


@pytest.fixture
def trees(bench):
    bench.corpus(A=["tool"])
    bench.pin()
    return Trees(
        baseline=bench.side("old", "#!/bin/sh\necho old\n"), candidate=bench.side("new", "#!/bin/sh\necho new\n")
    )


def test_a_run_that_is_killed_before_it_is_the_latest_one_has_told_its_sides(bench, trees, monkeypatch):
    seen = []

    def killed(_, folder):
        seen.append(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(LocalStore, "point_latest", killed)
    with pytest.raises(KeyboardInterrupt):
        audit(load_project(bench.root), trees, workers=1, today=date(2026, 1, 1), listen=silence)
    assert [remembered_sides(folder) for folder in seen] == [trees]


def test_a_run_through_the_public_door_tells_its_sides(bench, trees):
    done = api.run(bench.root, trees, workers=1, today=date(2026, 1, 1), sandbox="off")
    assert remembered_sides(done.folder) == trees

"""Real programs in two released versions: every known change is found, and the old version never differs from itself."""

import pytest
from judge_pair import run_pair
from pair_project import find_python, pair_files, read_pair

pytestmark = pytest.mark.pairs

PAIRS = pair_files()


def needs(pair):
    if find_python(pair.told["python"]) is None:
        pytest.skip(f"no Python {pair.told['python']} on this machine")


@pytest.mark.skipif(not PAIRS, reason="the pairs are not beside this checkout")
def test_there_are_pairs():
    assert len(PAIRS) >= 20


@pytest.mark.parametrize("file", PAIRS, ids=lambda file: file.stem)
def test_every_known_delta_is_found_at_its_case_step_and_field(file, tmp_path):
    pair = read_pair(file)
    needs(pair)
    seen = run_pair(pair, tmp_path / "project", against_itself=False)
    assert seen.exit_code == 1
    assert pair.known - seen.changed == frozenset()


@pytest.mark.parametrize("file", PAIRS, ids=lambda file: file.stem)
def test_the_old_version_never_differs_from_itself(file, tmp_path):
    pair = read_pair(file)
    needs(pair)
    seen = run_pair(pair, tmp_path / "project", against_itself=True)
    assert seen.changed == frozenset()
    assert seen.unstable == frozenset()
    assert seen.exit_code == 0
    assert seen.checks > 0

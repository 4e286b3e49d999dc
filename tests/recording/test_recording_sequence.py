"""Which recorded invocations become steps of one case."""

from hypothesis import given
from hypothesis import strategies as st

from gate.recording.records import Invocation
from gate.recording.sequence import MOST_STEPS, sequences

ADD = {"program": "kv", "argv": ("add",), "cwd": "/t/a", "place": (1, 2), "pid": 7, "near": True, "how": "call"}


def at(time, **changes):
    return Invocation(**{**ADD, "time": time, **changes})


def times(invocations):
    return [[each.time for each in group] for group in sequences(invocations)]


def test_an_invocation_goes_on_with_the_one_whose_file_it_finds():
    first = at(1, wrote=frozenset({"db"}))
    assert times([first, at(2, files={"db": "x"})]) == [[1, 2]]


def test_an_invocation_that_finds_nothing_of_an_earlier_one_is_alone():
    assert times([at(1), at(2)]) == [[1], [2]]


def test_another_directory_is_another_case_though_its_path_is_the_same():
    first = at(1, wrote=frozenset({"db"}))
    assert times([first, at(2, files={"db": "x"}, place=(1, 3))]) == [[1], [2]]


def test_a_file_that_the_test_wrote_between_two_steps_ends_the_case():
    first = at(1, wrote=frozenset({"db"}))
    assert times([first, at(2, files={"db": "x", "input": "y"})]) == [[1], [2]]
    first = at(1, files={"input": "x"}, wrote=frozenset({"db"}))
    assert times([first, at(2, files={"db": "x", "input": "y"})]) == [[1], [2]]
    assert times([first, at(2, files={"db": "x"})]) == [[1], [2]]


def test_a_program_that_is_no_python_wrote_whatever_changed():
    assert times([at(1, how="shim"), at(2, how="shim", files={"db": "x"}), at(3, how="shim", files={"db": "y"})]) == [
        [1, 2, 3]
    ]


def test_a_case_has_a_bounded_number_of_steps():
    rows = [at(time, files={"db": str(time)}, wrote=frozenset({"db"})) for time in range(MOST_STEPS + 3)]
    assert [len(group) for group in sequences(rows)] == [MOST_STEPS, 3]


names = st.sets(st.sampled_from(["a", "b", "c"]))


@given(
    st.lists(
        st.builds(
            at,
            st.integers(0, 9),
            cwd=st.sampled_from(["/t/a", "/t/b"]),
            how=st.sampled_from(["call", "shim", "process"]),
            near=st.booleans(),
            whole=st.booleans(),
            files=st.dictionaries(st.sampled_from(["a", "b", "c"]), st.sampled_from(["1", "2"])),
            wrote=names.map(frozenset),
        )
    )
)
def test_every_invocation_is_in_one_group_and_in_its_order(rows):
    groups = sequences(rows)
    assert sorted(map(id, rows)) == sorted(id(each) for group in groups for each in group)
    for group in groups:
        places = [next(at for at, row in enumerate(rows) if row is each) for each in group]
        assert places == sorted(places)
        assert len({(each.cwd, each.place) for each in group}) == 1

"""Cases that behave alike."""

from gate.diff.alike import alike
from gate.diff.evidence import gather
from gate.diff.noise import Noise
from gate.diff.rules import NoiseRule
from gate.domain import CaseId, Record, value

NO_RULES = Noise.compile(())


def runs(name, *printed, command="get", fields=("stdout",)):
    """One case: what its single step printed in each run."""
    return tuple(
        (Record(case=CaseId(name), step=1, command=command, fields={field: value(text) for field in fields}),)
        for text in printed
    )


def found(*samples, noise=NO_RULES):
    return alike(samples, noise, gather(samples, noise))


def test_equal_values_in_every_field_are_alike():
    assert found(runs("A", b"x", b"x"), runs("B", b"y", b"y"), runs("C", b"x", b"x")) == ((0, 2),)


def test_the_command_word_is_no_behaviour():
    assert found(runs("A", b"x", b"x"), runs("B", b"x", b"x", command="set")) == ((0, 1),)


def test_one_byte_or_one_field_or_one_step_more_is_another_behaviour():
    more = tuple((*run, Record(case=CaseId("D"), step=2, command="get", fields={})) for run in runs("D", b"x", b"x"))
    assert (
        found(runs("A", b"x", b"x"), runs("B", b"x\n", b"x\n"), runs("C", b"x", b"x", fields=("stdout", "k")), more)
        == ()
    )


def test_a_case_that_wavers_or_ran_once_is_alike_with_none():
    assert found(runs("A", b"x", b"y"), runs("B", b"x", b"y")) == ()
    assert found(runs("A", b"x"), runs("B", b"x")) == ()


CLOCK = Noise.compile((NoiseRule(name="clock", pattern="at (?P<noise>[0-9]+)"),))


def test_what_a_noise_rule_covers_is_equal_where_it_varies():
    assert found(runs("A", b"at 1", b"at 2"), runs("B", b"at 3", b"at 4"), noise=CLOCK) == ((0, 1),)


def test_what_a_noise_rule_matches_and_never_varies_is_behaviour():
    assert found(runs("A", b"at 1", b"at 1"), runs("B", b"at 3", b"at 3"), noise=CLOCK) == ()


def test_what_varies_is_equal_for_one_command_word_only():
    """A rule may speak of commands."""
    assert found(runs("A", b"at 1", b"at 2"), runs("B", b"at 3", b"at 4", command="set"), noise=CLOCK) == ()

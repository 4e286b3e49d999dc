"""What the scorecard and the report show of ballots."""

from gate.exit_codes import ExitCode
from gate.report.votes import shown_votes
from gate.report.votes_text import mending_line, render_votes, votes_line
from gate.voting.ballots import Ballot, Failure, Run


def failed(message, way):
    failure = Failure(test="test_a", phase="call", exception="AssertionError", message=message, example="", trace="")
    return Run(outcome="fail", failures=(failure,), signature=((way,),))


def votes(*ballots, baseline=None):
    return shown_votes(ballots, baseline or {})


def test_an_address_is_no_part_of_a_scorecard():
    one, two = (
        votes(
            Ballot(property="a", kind="fail", reason="failed", runs=(failed(f"<object at 0x7f{n}8d0228490>", "w"),) * 2)
        )
        for n in (1, 2)
    )
    assert one == two
    assert one.ballots[0].failures[0].message == "<object at 0x…>"


def test_a_wavering_property_shows_each_way_in_which_it_failed():
    runs = (failed("one", "1"), failed("two", "2"), failed("one", "1"), Run(outcome="pass"))
    shown = votes(Ballot(property="a", kind="freeze", reason="mixed", runs=runs))
    assert [failure.message for failure in shown.ballots[0].failures] == ["one", "two"]


def test_an_abstention_names_the_way_back_and_a_pass_does_not():
    frozen = votes(Ballot(property="clock", kind="frozen", reason="abstains"))
    assert votes_line(frozen) == "0 properties voted, 1 abstained"
    assert mending_line(frozen) == (
        "to give a vote back: mend the property, gate pin, then gate repair clock --owner … --note … --baseline DIR"
    )
    assert mending_line(votes(Ballot(property="a", kind="pass", reason="passed"))) is None
    assert votes() is None
    assert votes_line(None) == "no property voted"


def test_what_a_test_says_cannot_touch_the_terminal():
    ballot = Ballot(property="a", kind="fail", reason="failed", runs=(failed("\x1b[2Jcls\n::error::x", "w"),))
    text = render_votes(votes(ballot), ExitCode.STOP, width=80, colour=False)
    assert "\x1b" not in text
    assert "\n::error" not in text
    assert "\\x1b[2Jcls" in text

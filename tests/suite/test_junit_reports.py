"""A JUnit XML report becomes a run: an outcome for each test, or a reason why it says nothing."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import SuiteError
from gate.suite.junit import MAX_DEPTH, parse_report
from gate.suite.results import SuiteRun


def case(name="t", classname="m", inside="", **attributes):
    told = "".join(f' {key}="{text}"' for key, text in attributes.items())
    return f'<testcase classname="{classname}" name="{name}"{told}>{inside}</testcase>'


def report(*cases, counts=""):
    return f"<testsuites><testsuite name='s'{counts}>{''.join(cases)}</testsuite></testsuites>".encode()


def outcomes(*cases):
    return dict(parse_report(report(*cases), name="r.xml").outcomes)


def refused(data):
    with pytest.raises(SuiteError) as caught:
        parse_report(data, name="r.xml")
    assert caught.value.next_step
    return caught.value.what


def test_a_report_of_pytest_is_a_run():
    data = b"""<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1"
    skipped="1" tests="4" time="0.053" timestamp="2026-11-29T10:00:00" hostname="h">
    <testcase classname="tests.test_a.TestA" name="test_ok" time="0.001"><properties><property name="a" value="b"/></properties>
    <system-out>failure &lt;error&gt;</system-out></testcase>
    <testcase classname="tests.test_a" name="test_bad[1-2]" time="0.1"><failure message="assert 0">E assert 0</failure></testcase>
    <testcase classname="tests.test_a" name="test_setup" time="0.1"><error message="failed on setup">E</error></testcase>
    <testcase classname="tests.test_a" name="test_x" time="0"><skipped type="pytest.xfail" message=""/></testcase>
    </testsuite></testsuites>"""
    assert parse_report(data, name="r.xml") == SuiteRun(
        name="r.xml",
        outcomes={
            "tests.test_a.TestA::test_ok": "passed",
            "tests.test_a::test_bad[1-2]": "failed",
            "tests.test_a::test_setup": "error",
            "tests.test_a::test_x": "skipped",
        },
    )


def test_one_suite_may_be_the_top_and_suites_may_hold_suites():
    inner = f"<testsuite>{case('a')}</testsuite>"
    data = f'<testsuite xmlns="urn:x">{case("b")}{inner}</testsuite>'.encode()
    assert dict(parse_report(data, name="r").outcomes) == {"m::a": "passed", "m::b": "passed"}


@pytest.mark.parametrize(
    ("cases", "outcome"),
    [
        ([case(inside="<failure/>"), case()], "failed"),
        ([case(), case(inside="<failure/>")], "failed"),
        ([case(inside="<failure/>"), case(inside="<error/>")], "error"),
        ([case(inside="<skipped/>"), case()], "skipped"),
        ([case(inside="<flakyFailure/>")], "failed"),
        ([case(inside="<flakyError/><system-out/>")], "error"),
        ([case(inside="<failure/><rerunFailure/>")], "failed"),
        ([case(inside="<skipped/><failure/>")], "failed"),
    ],
)
def test_a_pass_on_a_retry_is_no_pass(cases, outcome):
    """Reported fault 119."""
    run = parse_report(report(*cases, case("other")), name="r")
    assert run.outcomes["m::t"] == outcome
    assert run.repeated == (("m::t",) if len(cases) > 1 else ())


@pytest.mark.parametrize(
    ("attributes", "outcome"),
    [
        ({"status": "run", "result": "completed"}, "passed"),
        ({"status": "notrun", "result": "suppressed"}, "skipped"),
        ({"status": "failed"}, "failed"),
        ({"result": "Error"}, "error"),
    ],
)
def test_a_state_without_an_element_counts(attributes, outcome):
    assert outcomes(case(**attributes), case("other"))["m::t"] == outcome


def test_the_output_of_a_test_is_not_read():
    inside = "<system-out><![CDATA[<!DOCTYPE html><testcase name='x'><failure/>]]></system-out>"
    assert outcomes(case(inside=inside)) == {"m::t": "passed"}


def test_an_element_deeper_in_a_test_is_none_of_its_outcomes():
    assert outcomes(case(inside="<properties><failure/></properties>")) == {"m::t": "passed"}


def test_a_name_that_does_not_print_stays_one_line():
    assert list(outcomes(case("a&#9;b&#10;c\u202ed e"))) == [r"m::a\u{9}b\u{a}c\u{202e}d e"]


def test_a_report_without_tests_is_no_data():
    """Reported fault 114."""
    assert refused(b"<testsuites/>") == "r.xml: expected the results of tests, found none: no data is not clean"
    assert refused(report()) == "r.xml: expected the results of tests, found none: no data is not clean"


def test_a_report_of_skipped_tests_is_no_data():
    """Reported fault 115."""
    skipped = [case(name, inside="<skipped message='could not import'/>") for name in "ab"]
    assert refused(report(*skipped)) == "r.xml: expected tests that ran, but all 2 were skipped: no data is not clean"


@pytest.mark.parametrize(
    ("cases", "named"),
    [
        ([case("tests.test_x", classname="", inside="<error message='collection failure'/>")], "::tests.test_x"),
        (
            [case("test_x", classname="unittest.loader._FailedTest", inside="<error/>")],
            "unittest.loader._FailedTest::test_x",
        ),
        (["<error message='setUpClass'/>"], "a <error> of a whole suite"),
        (["<failure/>"], "a <failure> of a whole suite"),
    ],
)
def test_a_collection_error_is_no_vote_of_the_tests_that_are_missing(cases, named):
    """Reported fault 113: also where other tests ran."""
    assert refused(report(case(), *cases)) == f"r.xml: expected every test to be collected, but {named} could not be"


def test_of_many_collection_errors_three_are_named():
    cases = [case(f"m{number}", classname="", inside="<error/>") for number in range(5)]
    assert refused(report(*cases)).endswith("but ::m0, ::m1, ::m2, and 2 more could not be")


def test_failures_that_are_counted_must_be_there():
    """Reported fault 112: a report cut down to its passes is not believed."""
    assert (
        refused(report(case(), counts=" failures='1' errors='1'"))
        == "r.xml: a suite counts 2 failures and errors, but lists 0"
    )
    assert parse_report(report(case(), counts=" failures='0' errors='x'"), name="r").outcomes


def bomb():
    levels = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 10))
    return f'<!DOCTYPE x [<!ENTITY e0 "ha">{levels}]><testsuites><testsuite name="&e9;"/></testsuites>'.encode()


@pytest.mark.parametrize(
    "data",
    [
        bomb(),
        b'<!DOCTYPE testsuite [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&x;"/></testsuite>',
        b'<!DOCTYPE testsuite SYSTEM "http://localhost:9/x.dtd"><testsuite/>',
        b'<!DOCTYPE testsuite [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><testsuite/>',
        '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x [<!ENTITY e "y">]><testsuite/>'.encode("utf-16"),
    ],
    ids=["bomb", "external entity", "external type", "parameter entity", "utf-16"],
)
def test_a_document_type_is_refused_before_anything_is_expanded(data, no_hang):
    assert refused(data).startswith("r.xml: expected no document type, got <!DOCTYPE '")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "r.xml:1:1: expected XML: no element found"),
        (b"no tests ran", "r.xml:1:1: expected XML: syntax error"),
        (b"<testsuite>\n<testcase name='a'/></test", "r.xml:2:21: expected XML: unclosed token"),
        (b"<testsuite>\n<testcase name='a'></testsuite>", "r.xml:2:22: expected XML: mismatched tag"),
        (b"<testsuite>&nope;</testsuite>", "r.xml:1:12: expected XML: undefined entity"),
        (b'<?xml version="1.0" encoding="nope"?><testsuite/>', "r.xml"),
        (b"<html><testsuite/></html>", "r.xml: expected <testsuites> or <testsuite> at the top, got <html>"),
        (
            b"<testsuite><testcase classname='m'/></testsuite>",
            "r.xml: expected a name on every <testcase>, got none on number 1",
        ),
        (
            b"<testsuite><testcase name='a'><testcase name='b'/></testcase></testsuite>",
            "r.xml: expected no <testcase> inside a",
        ),
        (
            b"<testsuite>" * (MAX_DEPTH + 1),
            f"r.xml: expected at most {MAX_DEPTH} elements inside one another, got more",
        ),
    ],
)
def test_what_is_no_report_is_refused_with_its_place(data, complaint):
    assert refused(data).startswith(complaint)


@given(st.binary())
def test_any_bytes_give_a_run_or_an_error_of_ours(data):
    for document in (data, b"<testsuite><testcase name='a'>" + data + b"</testcase></testsuite>"):
        with contextlib.suppress(SuiteError):
            assert parse_report(document, name="r").outcomes


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["", "<failure/>", "<error/>", "<skipped/>"]))))
def test_a_failure_more_never_makes_a_failed_test_pass(results):
    cases = [case(name, inside=inside) for name, inside in results]
    worse = outcomes(*cases, case("a", inside="<failure/>"))
    assert worse["m::a"] in ("failed", "error")
    assert outcomes(*reversed(cases), case("a", inside="<failure/>")) == worse

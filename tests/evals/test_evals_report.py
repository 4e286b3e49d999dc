"""The reports, whole, and what they say in words."""

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_runs import GOLDEN, HEAD, HOSTILE, ROWS, RUN, answered, cause, made, row

from auditor.drafting.values import Usage
from evals.document import bullets, code, own, say, strong, table
from evals.markdown import markdown as as_markdown
from evals.page import page
from evals.report import markdown
from evals.run import Run
from evals.values import Agreement, Asked, Figure

MADE = made()


@pytest.mark.parametrize("name", sorted(MADE))
def test_a_report_of_a_made_up_run_is_the_golden_one(name):
    assert MADE[name].decode() == (GOLDEN / name).read_text(encoding="utf-8")


def test_no_golden_file_is_left_over():
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted(MADE)


def first_words(rows, model="model_x", beside=None, head=HEAD):
    """The sentences before the first table."""
    run = Run(
        head=msgspec.structs.replace(head, model=model), rows=rows, beside=RUN.beside if beside is None else beside
    )
    return markdown(run).partition("## At a glance\n\n")[2].partition("\n\n|")[0].split("\n\n")


MANY = tuple(row(number, f"c{number}", "collateral" if number % 2 else "intended", "") for number in range(1, 41))
RULES = {"all-intended": answered(MANY, "intended"), "all-collateral": answered(MANY, "collateral")}
ONE_TASK = msgspec.structs.replace(HEAD, tasks=("policy-demo",))
BAD = "> **m is bad: on the one task that tells of skill it is no better than a rule that reads nothing.**"


def of(name):
    """The rows of a drafter that is named after what it does."""
    how = {
        "all intended": lambda _: "intended",
        "all collateral": lambda _: "collateral",
        "every other pair": lambda one: ("intended", "collateral")[int(one.sample[1:]) // 2 % 2],
        "always right": lambda one: one.label,
        "all missing": lambda _: "missing",
    }[name]
    return tuple(row(number, one.cluster, one.label, how(one)) for number, one in enumerate(MANY, start=1))


@pytest.mark.parametrize(
    ("drafter", "words"),
    [
        (
            "all intended",
            [
                BAD,
                "> **Dangerous errors: 20 of 20.** Collateral was called intended, in any variant: policy-demo 20 of 20.",
            ],
        ),
        (
            "all collateral",
            [
                BAD,
                "Dangerous errors: 0 of 20.",
                "> **Intended found: 0 of 20.** A drafter that allows nothing is safe, and of no use.",
            ],
        ),
        (
            "every other pair",
            [
                BAD,
                "> **Dangerous errors: 10 of 20.** Collateral was called intended, in any variant: policy-demo 10 of 20.",
            ],
        ),
        (
            "all missing",
            [
                BAD,
                "Dangerous errors: 0 of 20.",
                "> **Intended found: 0 of 20.** A drafter that allows nothing is safe, and of no use.",
            ],
        ),
        (
            "always right",
            [
                "**m is better than every rule that reads nothing on 1 of 1 tasks and variants.**",
                "Dangerous errors: 0 of 20.",
            ],
        ),
    ],
)
def test_a_bad_drafter_is_called_bad_before_any_table(drafter, words):
    assert first_words(of(drafter), "m", RULES, ONE_TASK) == words


@pytest.mark.parametrize("name", ["all-intended", "all-collateral", "random"])
def test_a_baseline_is_never_called_skilled(name):
    beside = {rule: rows for rule, rows in RULES.items() if rule != name}
    assert first_words(of("always right"), name, beside, ONE_TASK)[0] == (
        f"> **{name} is bad by construction: it is a rule that reads nothing.** It is here to be beaten; its figures show no skill."
    )


def test_where_no_rule_answered_nothing_is_said_of_skill():
    assert first_words(ROWS, beside={})[0] == (
        "No task of this run tells whether `model_x` is better than a rule that reads nothing."
    )


def test_a_rule_stands_beside_the_samples_that_were_answered():
    report = markdown(Run(head=ONE_TASK, rows=MANY[:4], beside={"all-intended": RULES["all-intended"]}))
    assert "| accuracy | 0.00 | 0.00 to 0.49 Wilson | 4 *small n* | 0.50 |\n" in report
    assert "| all-intended | 0.50 |" in report


def test_a_drafter_that_does_as_a_rule_that_reads_nothing_is_called_that():
    sentence = (
        "**m answers every one of these as all-collateral does, which reads nothing: here its figures show no skill.**"
    )
    head = msgspec.structs.replace(ONE_TASK, model="m")
    assert sentence in markdown(Run(head=head, rows=of("all collateral"), beside=RULES))
    assert sentence not in markdown(Run(head=head, rows=of("every other pair"), beside=RULES))


def test_dangerous_errors_come_first_then_confident_misses_then_the_rest_and_of_many_eight():
    rows = (
        *(cause(number, "environment", "logic", among=True) for number in range(1, 5)),
        *(cause(number, "environment", "time", among=False) for number in range(5, 12)),
        msgspec.structs.replace(
            cause(12, "environment", "time", among=True),
            scores={"right": False, "dangerous": True, "among three": True, "three distinct": True},
        ),
    )
    report = markdown(Run(head=msgspec.structs.replace(HEAD, tasks=("flake-causes",)), rows=rows, beside={}))
    told = report.partition("Worst samples, 8 of 12 that are wrong")[2]
    assert re.findall(r"^- log (\d+)", told, flags=re.MULTILINE) == ["12", "5", "6", "7", "8", "9", "10", "11"]


def test_of_many_labels_the_commonest_are_shown_and_the_others_counted():
    rows = tuple(cause(number, f"label {number // 2:02}", "time", among=False) for number in range(40))
    report = markdown(Run(head=msgspec.structs.replace(HEAD, tasks=("flake-causes",)), rows=rows, beside={}))
    matrix = report.partition("| label \\\\ answer | time | all |\n")[2].partition("\n\n")[0].splitlines()
    assert (len(matrix), matrix[-2:]) == (14, ["| others | 18 | 18 |", "| all | 40 | 40 |"])


def test_what_a_model_cost_and_how_far_it_agrees_with_itself_is_told():
    alike = Figure(value=0.5, low=0.2, high=0.8, n=6, how="Wilson")
    asked = Asked(
        repeats=3,
        outcomes={"refused": 1, "answered": 3, "no transcript": 6},
        refused=2,
        usage=Usage(requests=5, prompt_tokens=100, answer_tokens=20, cost=0.25, unmetered=1),
        agreement={"with the intent": Agreement(alike=alike, kappa=None)},
    )
    head = msgspec.structs.replace(ONE_TASK, asked={"policy-demo": asked})
    assert """\
| outcome | questions | share of those asked | interval |
| --- | --- | --- | --- |
| answered | 3 | 0.75 | 0.30 to 0.95 Wilson |
| refused | 1 | 0.25 | 0.05 to 0.70 Wilson |
| no transcript | 6 | not asked |  |

- Items that the form or a check refused, after the repair: 2.
- Requests: 5; tokens of questions: 100, of answers: 20; requests whose tokens the endpoint did not tell: 1.
- Cost: 0.2500, in the currency of the prices.
- Each question 3 times, with the intent: all answers equal for 0.50 of 6 samples (0.20 to 0.80 Wilson), Fleiss' kappa undefined. *small n*
""" in markdown(Run(head=head, rows=ROWS, beside=RUN.beside))


class Tags(HTMLParser):
    """All elements, attributes and texts of a page."""

    def __init__(self, text):
        super().__init__()
        self.names, self.attributes, self.texts = [], set(), []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.texts.append(data)


def test_a_page_loads_nothing_and_runs_nothing():
    for name in ("report.html", "compare.html", "decisions.html"):
        tags = Tags(MADE[name].decode())
        assert not {"script", "link", "img", "iframe", "a", "b", "object", "form"} & set(tags.names)
        assert not {one for one in tags.attributes if one.startswith("on") or one in ("href", "src")}
        assert "\x1b" not in MADE[name].decode()


def test_a_picture_is_well_formed_and_says_what_it_shows():
    for name in ("figures.svg", "compare.svg"):
        root = ElementTree.fromstring(MADE[name])
        assert root.find("{http://www.w3.org/2000/svg}title").text.startswith("The figures of model_x")


TEXTS = st.text(st.sampled_from("a1_*`|<>&[]()!#-+=~\\\"'\n\t\x1b\u202e .:/") | st.characters(), max_size=30)


@given(TEXTS)
def test_any_text_stands_on_a_page_as_text_alone(text):
    tags = Tags(page([say(text, strong(text), code(text)), *bullets([(text,)]), table((text,), [(text,)])]))
    assert set(tags.names) <= {
        *("html", "head", "meta", "title", "style", "body", "p", "strong", "code"),
        *("ul", "li", "table", "thead", "tbody", "tr", "th", "td"),
    }


@given(TEXTS)
def test_any_text_in_markdown_stays_text_in_its_line_and_cell(text):
    markdown_it = pytest.importorskip("markdown_it")
    reader = markdown_it.MarkdownIt("commonmark").enable("table")
    blocks = [
        say("x", text),
        say("x ", code(text)),
        *bullets([("x", text)]),
        table(("x", "y"), [(("x", text), code_cell(text))]),
    ]
    tokens = reader.parse(as_markdown(blocks))
    kinds = {token.type for token in tokens} | {part.type for token in tokens for part in token.children or ()}
    assert not kinds & {
        "html_inline",
        "html_block",
        "link_open",
        "image",
        "em_open",
        "strong_open",
        "heading_open",
        "hr",
    }
    assert sum(token.type == "td_open" for token in tokens) == 2
    assert sum(token.type == "paragraph_open" for token in tokens) == 3


def code_cell(text):
    return (code(text),) if text else ("",)


@pytest.mark.parametrize(
    "start", ["# a", "- a", "+ a", "1. a", "12) a", "> a", "=", "---", "***", "```", "| a |", "    a", "<b>"]
)
def test_a_paragraph_that_begins_like_markup_is_a_paragraph(start):
    markdown_it = pytest.importorskip("markdown_it")
    tokens = markdown_it.MarkdownIt("commonmark").parse(as_markdown([say(start), say("z")]))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"] * 2


def test_only_sentences_of_our_own_have_code_in_them():
    assert own("as `x` says") == ("as ", code("x"), " says")
    assert as_markdown([say("as `x` says")]) == "as \\`x\\` says\n"


def test_a_table_with_a_row_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match="expected rows as long as the head"):
        table(("a", "b"), [("1",)])


def test_hostile_text_is_in_the_results_as_it_was():
    assert json.loads(msgspec.json.encode(ROWS[2]))["shown"] == HOSTILE

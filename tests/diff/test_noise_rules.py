import pytest
from diff_cases import held

from gate.diff import noise as noise_module
from gate.diff.canonical import canonicalise
from gate.diff.noise import Noise, rules_digest
from gate.diff.rules import NoiseRule
from gate.errors import NoiseError

NUMBER = NoiseRule(name="n", pattern=r"\d+")
DATE = NoiseRule(name="date", pattern=r"\d{4}-\d{2}-\d{2}")


def canon(text: str, *rules: NoiseRule, field: str = "stdout", command: str = "run") -> str:
    return canonicalise([(command, {field: held(text)})], Noise.compile(rules))[0][field].text.decode()


def test_the_order_of_rules_changes_nothing():
    """Fault 67: the longest match wins, so that the specific rule comes before the general one."""
    assert [canon("2026-01-02 id 7", NUMBER, DATE), canon("2026-01-02 id 7", DATE, NUMBER)] == ["<date> id <n>"] * 2
    assert rules_digest((NUMBER, DATE)) == rules_digest((DATE, NUMBER))


def test_a_longer_match_of_a_user_rule_wins_over_a_built_in_rule():
    job = NoiseRule(name="job", pattern=r"job-[0-9a-f-]{36}", identity=True)
    assert canon("job-550e8400-e29b-41d4-a716-446655440000 x 12ms", job) == "<job:1> x <duration>"


def test_a_broad_rule_does_not_break_a_built_in_token():
    assert canon("550e8400-e29b-41d4-a716-446655440000 took 12ms and 7", NUMBER) == "<uuid:1> took <duration> and <n>"


def test_of_equally_long_matches_the_built_in_rule_wins_then_the_name():
    assert canon("12ms", NoiseRule(name="a", pattern="[0-9]+ms")) == "<duration>"
    assert canon("xy", NoiseRule(name="b", pattern="xy"), NoiseRule(name="a", pattern="x.")) == "<a>"


def test_fields_and_commands_are_exact():
    rule = NoiseRule(name="n", pattern=r"\d+", fields=("rows",), commands=("list",))
    assert [
        canon("7", rule, field="rows", command="list"),
        canon("7", rule, field="rows", command="list-all"),
        canon("7", rule, field="rows2", command="list"),
        canon("7", rule, command="list"),
    ] == ["<n>", "7", "7", "7"]


def test_a_rule_without_fields_leaves_alone_how_a_step_ended():
    """Fault 52."""
    assert [canon("1", NUMBER, field=name) for name in ("status", "exit", "exit_code", "returncode", "rows")] == [
        *"1111",
        "<n>",
    ]


@pytest.mark.parametrize("field", ["status", "exit", "exit_code", "returncode"])
def test_a_rule_that_names_a_protected_field_is_refused(field):
    """Fault 52."""
    with pytest.raises(NoiseError) as error:
        Noise.compile((NoiseRule(name="n", pattern=r"\d+", fields=("stdout", field)),))
    assert error.value.diagnostics() == (
        f"noise rule 'n': expected fields that may vary, got {field!r}: how a step ended is never noise\n"
        "Take it out of `fields`; an intended change of it belongs in the policy."
    )


@pytest.mark.parametrize("name", ["", "Upper", "a b", "a:1", "-a", "a\n", "<x>"])
def test_a_name_that_a_placeholder_cannot_show_is_refused(name):
    with pytest.raises(NoiseError) as error:
        Noise.compile((NoiseRule(name=name, pattern="x"),))
    assert error.value.what == f"noise rule {name!r}: expected a name of lower-case letters, digits and hyphens"


@pytest.mark.parametrize("name", ["uuid", "duration", "pid", "layout"])
def test_the_name_of_a_built_in_rule_is_taken(name):
    with pytest.raises(NoiseError) as error:
        Noise.compile((NoiseRule(name=name, pattern="x"),))
    assert error.value.what == f"noise rule {name!r}: expected a name of its own, got one that is taken"


def test_a_name_given_twice_is_refused():
    with pytest.raises(NoiseError, match="'n': expected a name of its own"):
        Noise.compile((NUMBER, NoiseRule(name="n", pattern="y")))


def test_a_rule_that_never_gets_done_is_refused():
    with pytest.raises(NoiseError) as error:
        canon("." * 100, NoiseRule(name="dot", pattern=r"^\."))
    assert error.value.diagnostics() == (
        "noise rule 'dot': expected it to be done after 64 rounds, got one more match beside its own last match: b'.'\n"
        "Let the pattern take the whole run at once, e.g. `^ +` for `^ `."
    )


@pytest.mark.slow
def test_a_hostile_text_costs_a_bounded_number_of_rounds():
    with pytest.raises(NoiseError):
        canon("." * 1_000_000, NoiseRule(name="dot", pattern=r"^\."))


@pytest.mark.parametrize(
    "changed",
    [
        NoiseRule(name="m", pattern=r"\d+"),
        NoiseRule(name="n", pattern=r"\d"),
        NoiseRule(name="n", pattern=r"\d+", identity=True),
        NoiseRule(name="n", pattern=r"\d+", fields=("a",)),
        NoiseRule(name="n", pattern=r"\d+", commands=("a",)),
        NoiseRule(name="n", pattern=r"\d+", fields=("a", "-", "a")),
    ],
)
def test_every_part_of_a_rule_is_in_the_digest(changed):
    assert rules_digest((changed,)) not in {rules_digest((NUMBER,)), rules_digest(())}


def test_a_field_and_a_command_are_told_apart_in_the_digest():
    by_field = NoiseRule(name="n", pattern="x", fields=("a", "-"))
    by_command = NoiseRule(name="n", pattern="x", fields=("a",), commands=("-",))
    assert rules_digest((by_field,)) != rules_digest((by_command,))


def test_the_version_of_the_canonical_form_is_in_the_digest(monkeypatch):
    """Fault 68: goldens of another version are refused by their digest."""
    before = rules_digest(())
    monkeypatch.setattr(noise_module, "CANONICAL_VERSION", 2)
    assert rules_digest(()) != before


def test_compiled_rules_carry_their_digest():
    assert Noise.compile((NUMBER,)).digest == rules_digest((NUMBER,))
    assert rules_digest(()).startswith("sha256:")
    assert len(rules_digest(())) == 71

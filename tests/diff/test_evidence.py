from diff_cases import BUILT_IN, changed, compare, listed, rules, run, wavering

from gate.diff.evidence import NO_EVIDENCE, Evidence, gather
from gate.diff.findings import Change, Placeholder
from gate.diff.rules import NoiseRule

HEX = rules(NoiseRule(name="hex", pattern="0x[0-9a-f]+"))
NUMBERS = rules(NoiseRule(name="n", pattern=r"\d+"))
U1 = "550e8400-e29b-41d4-a716-446655440000"
U2 = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
U3 = "7d444840-9dc0-11d1-b245-5ffdce74fad2"
U4 = "a987fbc9-4bed-3078-8f07-9141ba07c9f3"


def the_change(comparison) -> Change:
    ((change,),) = [delta.changes for delta in comparison.deltas]
    return change


def test_a_value_stable_in_the_baseline_and_changed_in_the_candidate_is_a_delta_even_where_a_rule_matches():
    """Fault 52."""
    old, new = run("flags=0x0 mode=0x2"), run("flags=0x1 mode=0x2")
    found = compare([old, old], [new, new], HEX)
    change = the_change(found)
    assert changed(found) == [(1, "stdout", b"flags=0x0 mode=<hex>", b"flags=0x1 mode=<hex>")]
    assert (change.masked_by, change.kind, found.verified) == ("hex", "value", 0)


def test_an_exit_code_and_counts_are_not_hidden_by_a_broad_number_rule():
    """Fault 52."""
    old = run({"status": "0", "stdout": "exit 0, 3 rows", "exit": "0", "rows": "3"})
    new = run({"status": "1", "stdout": "exit 1, 0 rows", "exit": "1", "rows": "0"})
    found = compare([old, old], [new, new], NUMBERS)
    assert changed(found) == [
        (1, "exit", b"0", b"1"),
        (1, "status", b"0", b"1"),
        (1, "stdout", b"exit 0, 3 rows", b"exit 1, 0 rows"),
        (1, "rows", b"3", b"0"),
    ]
    assert [change.masked_by for change in found.deltas[0].changes] == [None, None, "n", "n"]


def test_a_value_that_varies_between_the_baselines_own_runs_may_vary():
    found = compare([run("took 12ms"), run("took 1.1s")], [run("took 999µs"), run("took 7ms")])
    assert (found.deltas, found.unstable, found.verified, found.substitutions) == ((), (), 1, (("duration", 4),))


def test_evidence_from_another_case_licences_nothing_where_the_runs_look_alike():
    """`show new` prints the time of now; that must not excuse `show old`, whose date is fixed."""
    shown = gather([[run("took 12ms"), run("took 13ms")]], BUILT_IN)
    assert the_change(compare([run("took 12ms")], [run("took 14ms")], evidence=shown)).masked_by == "duration"


def test_a_place_that_varies_licences_no_other_place_of_the_same_value():
    one, other = "550e8400-e29b-41d4-a716-446655440000", "deadbeef-e29b-41d4-a716-446655440000"
    fresh = [f"123e4567-e89b-42d3-a456-42661417400{number}" for number in range(4)]
    old = [run(f"id: {one} kept\nid: {new} made\n") for new in fresh[:2]]
    new = [run(f"id: {other} kept\nid: {new} made\n") for new in fresh[2:]]
    found = the_change(compare(old, new))
    assert (found.masked_by, found.new.text.startswith(f"id: {other} kept".encode())) == ("uuid", True)


def test_a_candidate_that_stops_varying_is_a_change():
    fresh = [f"123e4567-e89b-42d3-a456-42661417400{number}" for number in range(5)]
    old, new = [run(f"token {text}") for text in fresh[:4]], [run(f"token {fresh[4]}")] * 4
    found = the_change(compare(old, new))
    assert (found.masked_by, found.old.text) == ("uuid", b"token <uuid:1>")
    assert found.new.text == f"token {fresh[4]}".encode()


def test_a_clock_in_seconds_that_becomes_a_constant_is_a_change_though_the_baseline_repeats_itself():
    old = [run(f"at 2026-01-01T00:00:0{second}Z") for second in (1, 1, 2, 2, 2)]
    found = the_change(compare(old, [run("at 1970-01-01T00:00:00Z")] * 5))
    assert (found.masked_by, found.new.text) == ("timestamp", b"at 1970-01-01T00:00:00Z")


def test_a_clock_that_stood_still_on_the_candidate_is_none_where_the_baseline_shows_its_time_too():
    old = [run(f"at 2026-01-01T00:00:0{second}Z") for second in (1, 1, 2, 2, 2)]
    assert compare(old, [run("at 2026-01-01T00:00:02Z")] * 5).deltas == ()


def test_a_steady_value_beside_a_real_change_is_shown_and_bound_as_it_is():
    """Else an entry that allows A to become B would allow any date with it."""
    shown = gather([[run("at 2026-01-01T00:00:01Z A"), run("at 2026-01-01T00:00:02Z A")]], BUILT_IN)
    old, new = run("at 2020-01-01T00:00:00Z A"), run("at 1999-01-01T00:00:00Z B")
    found = the_change(compare([old, old], [new, new], evidence=shown))
    assert (found.old.text, found.new.text) == (b"at 2020-01-01T00:00:00Z A", b"at 1999-01-01T00:00:00Z B")


def test_noise_that_only_the_candidate_varies_does_not_turn_a_real_change_into_an_abstention():
    old, new = [run("1 page in 0.05s")] * 2, [run("2 pages in 0.05s"), run("2 pages in 0.06s")]
    found = compare(old, new)
    assert (found.unstable, the_change(found).new.text) == ((), b"2 pages in <duration>")


def test_padding_that_varies_on_one_line_excuses_no_other_line_and_no_other_case():
    old = [run(f"took {text:>6}\n| key | a    b |\n") for text in ("9ms", "10ms", "100ms")]
    new = [run(f"took {text:>6}\n| key | a b |\n") for text in ("9ms", "11ms")]
    assert the_change(compare(old, new)).kind == "whitespace"
    shown = gather([[run("took 9ms  done"), run("took 10ms done")]], BUILT_IN)
    steady = [run("ttl 5ms    done")] * 2
    assert the_change(compare(steady, [run("ttl 5ms done")] * 2, evidence=shown)).kind == "whitespace"


def test_a_candidate_that_is_steady_where_the_baseline_repeats_itself_now_and_then_is_none():
    old, new = [run(f"took {text}ms") for text in (1, 2, 1)], [run("took 2ms")] * 3
    assert compare(old, new).deltas == ()


def test_indentation_counts_beside_padding_that_varies():
    old = [run(f"elapsed {text:>8}|\nif a:\n    b()\n    c()\n") for text in ("9ms", "10ms", "100ms")]
    new = [run(f"elapsed {text:>8}|\nif a:\n    b()\nc()\n") for text in ("9ms", "11ms")]
    assert the_change(compare(old, new)).kind == "whitespace"


def test_evidence_does_not_reach_another_place_field_or_command():
    shown = gather([[run("took 12ms"), run("took 13ms")]], BUILT_IN)
    limit = compare([run("limit 12ms")], [run("limit 14ms")], evidence=shown)
    field = compare([run({"stderr": "took 12ms"})], [run({"stderr": "took 14ms"})], evidence=shown)
    command = compare(
        [[listed(1, {"stdout": "took 12ms"}, "other")]],
        [[listed(1, {"stdout": "took 14ms"}, "other")]],
        evidence=shown,
    )
    assert [the_change(found).masked_by for found in (limit, field, command)] == ["duration"] * 3


def test_equal_runs_and_a_single_run_show_nothing():
    assert gather([[run("took 12ms"), run("took 12ms")], [run("took 12ms")], []], BUILT_IN) == NO_EVIDENCE


def test_runs_with_other_places_are_not_laid_side_by_side():
    """Two lines of which one is missing do not show that the first one varies."""
    both, one = run("a 1ms\nb 2ms\n"), run("b 2ms\n")
    assert gather([[both, one]], BUILT_IN) == NO_EVIDENCE


def test_a_literal_difference_elsewhere_does_not_take_evidence_away():
    shown = gather([[run("x\na 1ms"), run("y\na 2ms")]], BUILT_IN)
    assert shown == Evidence(slots=frozenset({("run", "stdout", "duration", b"a")}))


def test_evidence_adds_up():
    one = gather([[run("a 1ms"), run("a 2ms")]], BUILT_IN)
    two = gather([[run("b 1ms"), run("b 2ms")]], BUILT_IN)
    both = gather([[run("a 1ms"), run("a 2ms")], [run("b 1ms"), run("b 2ms")]], BUILT_IN)
    assert (one | two, one | NO_EVIDENCE) == (both, one)


def test_the_candidates_own_variation_is_no_evidence():
    found = compare([run("took 12ms"), run("took 12ms")], [run("took 13ms"), run("took 14ms")])
    assert (found.deltas, wavering(found)) == ((), [(1, "stdout", "candidate")])


def test_a_swap_of_random_ids_is_seen():
    """Fault 55."""
    old = [run(f"owner={a} item={b} paid-by={a}") for a, b in ((U1, U2), (U3, U4))]
    new = [run(f"owner={a} item={b} paid-by={b}") for a, b in ((U2, U3), (U4, U1))]
    assert changed(compare(old, new)) == [
        (
            1,
            "stdout",
            b"owner=<uuid:1> item=<uuid:2> paid-by=<uuid:1>",
            b"owner=<uuid:1> item=<uuid:2> paid-by=<uuid:2>",
        )
    ]


def test_a_swap_of_fixed_ids_is_seen():
    """Fault 55."""
    old, new = run(f"owner={U1} item={U2} paid-by={U1}"), run(f"owner={U1} item={U2} paid-by={U2}")
    assert changed(compare([old, old], [new, new])) == [
        (
            1,
            "stdout",
            f"owner=<uuid:1> item=<uuid:2> paid-by={U1}".encode(),
            f"owner=<uuid:1> item=<uuid:2> paid-by={U2}".encode(),
        )
    ]


def test_a_swap_in_a_later_step_is_seen_across_the_sequence():
    """Fault 55."""
    old = [run(f"made {a}", f"made {b}", f"gone {a}") for a, b in ((U1, U2), (U3, U4))]
    new = [run(f"made {a}", f"made {b}", f"gone {b}") for a, b in ((U1, U2), (U3, U4))]
    assert changed(compare(old, new)) == [(3, "stdout", b"gone <uuid:1>", b"gone <uuid:2>")]


def test_fixed_ids_that_trade_places_are_seen_though_their_numbers_agree():
    old, new = run(f"a={U1}\na={U2}"), run(f"a={U2}\na={U1}")
    assert the_change(compare([old, old], [new, new])).masked_by == "uuid"


def test_a_fixed_id_that_becomes_another_fixed_id_is_a_delta():
    old, new = run(f"id {U1}"), run(f"id {U2}")
    found = compare([old, old], [new, new])
    assert changed(found) == [(1, "stdout", f"id {U1}".encode(), f"id {U2}".encode())]


def test_a_dropped_fraction_or_offset_is_a_delta_even_where_the_time_varies():
    """Fault 53."""
    old = [run("at 2026-01-01T00:00:00.123Z"), run("at 2026-01-01T00:00:01.456Z")]
    assert [
        compare(old, [run(f"at {text}")]).deltas != ()
        for text in (
            "2026-01-01T00:00:02.789Z",
            "2026-01-01T00:00:02Z",
            "2026-01-01T00:00:02.789",
            "2026-01-01T00:00:02.789+00:00",
            "2026-01-01 00:00:02.789Z",
        )
    ] == [False, True, True, True, True]


def test_a_noisy_field_does_not_shift_the_numbers_of_the_others():
    """A stderr with a varying number of ids must not make the ids of later steps waver."""
    old = [run({"stderr": f"{U3} {U4}", "stdout": "x"}, f"id {U1}"), run({"stderr": U2, "stdout": "x"}, f"id {U2}")]
    new = [run({"stderr": U3, "stdout": "x"}, f"id {U4}")]
    found = compare(old, new)
    assert (changed(found), wavering(found), found.verified) == ([], [(1, "stderr", "baseline")], 2)


def test_the_same_temporary_path_in_every_channel_is_one_thing():
    """Fault 60."""

    def side(path):
        fields = {
            "status": "1",
            "stdout": f"wrote {path}\n",
            "stderr": f"error: cannot open {path}: no such file",
            "files": f"created file 644 out{path}",
            f"files:out{path}": f"path={path}\n",
        }
        return run(fields)

    found = compare([side("/tmpab12cd34"), side("/tmpef56gh78")], [side("/tmpij90kl12"), side("/tmpmn34op56")])
    assert (found.deltas, found.unstable, found.verified) == ((), (), 5)


def test_padding_that_follows_a_varying_path_is_no_difference():
    """Fault 58: table cells and borders are as wide as the raw value."""

    def table(path):
        ruler = "─" * len(path)
        return run(f"┌{ruler}┐\n│ path{' ' * len(path)}│\n│ {path} │ ok │\n└{ruler}┘\n")

    found = compare([table("/tmp/abc"), table("/tmp/abcdefgh")], [table("/tmp/abcde"), table("/tmp/a")])
    assert (found.deltas, found.unstable, found.verified, found.substitutions) == (
        (),
        (),
        1,
        (("layout", 1), ("tmp-path", 4)),
    )


def test_padding_counts_where_the_baseline_keeps_it():
    """Fault 58."""
    old = [run("| /tmp/abc | ok"), run("| /tmp/xyz | ok")]
    assert changed(compare(old, [run("| /tmp/abc  | ok")])) == [
        (1, "stdout", b"| <tmp-path:1> | ok", b"| <tmp-path:1>  | ok")
    ]


def test_padding_of_a_value_without_placeholders_always_counts():
    found = compare([run("a  b"), run("a   b")], [run("a b")])
    assert wavering(found) == [(1, "stdout", "baseline")]


def test_a_real_change_beside_varying_padding_is_seen():
    old = [run("| /tmp/abc   | ok"), run("| /tmp/abcde | ok")]
    assert changed(compare(old, [run("| /tmp/ab    | no")])) == [
        (1, "stdout", b"| <tmp-path:1> | ok", b"| <tmp-path:1> | no")
    ]


def test_a_partly_masked_change_shows_the_raw_text_where_there_is_no_evidence():
    old = [run("took 1ms, limit 5s, rows 3"), run("took 2ms, limit 5s, rows 3")]
    found = compare(old, [run("took 3ms, limit 6s, rows 4")])
    change = the_change(found)
    assert change.old is not None
    assert change.old.tokens == (b"took ", Placeholder(rule="duration"), b", limit 5s, rows 3")
    assert changed(found) == [(1, "stdout", b"took <duration>, limit 5s, rows 3", b"took <duration>, limit 6s, rows 4")]
    assert change.masked_by is None


def test_a_changed_word_before_a_varying_place_is_a_stable_delta():
    """The place is new, so the baseline cannot show it varying; the words differ whatever is erased there."""
    old = [run("took 3 rows in 12ms"), run("took 3 rows in 13ms")]
    assert changed(compare(old, [run("took 4 rows in 14ms"), run("took 4 rows in 15ms")])) == [
        (1, "stdout", b"took 3 rows in <duration>", b"took 4 rows in <duration>")
    ]


def test_a_new_place_that_the_candidate_varies_is_a_stable_delta():
    found = compare([run("ok"), run("ok")], [run("ok, 14ms"), run("ok, 15ms")])
    assert changed(found) == [(1, "stdout", b"ok", b"ok, <duration>")]


def test_a_new_place_that_nobody_varies_stands_literally_so_that_a_policy_binds_it():
    found = compare([run("ok"), run("ok")], [run("ok, limit 15s"), run("ok, limit 15s")])
    assert changed(found) == [(1, "stdout", b"ok", b"ok, limit 15s")]


def test_an_old_place_that_never_varied_stands_literally_when_it_goes():
    assert changed(compare([run("limit 15s")] * 2, [run("no limit")] * 2)) == [(1, "stdout", b"limit 15s", b"no limit")]


def test_another_command_word_does_not_excuse_a_masked_change():
    old, new = [listed(1, {"stdout": "limit 15s"}, "get")], [listed(1, {"stdout": "limit 16s"}, "put")]
    assert changed(compare([old, old], [new, new])) == [
        (1, "command", b"get", b"put"),
        (1, "stdout", b"limit 15s", b"limit 16s"),
    ]

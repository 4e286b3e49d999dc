from __future__ import annotations

import base64
import random
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.drafting.redact import Redactor, secrets_of
from auditor.drafting.secret_names import is_plain, names_secret
from auditor.errors import RedactionError

ALNUM = string.ascii_letters + string.digits
URLSAFE = ALNUM + "-_"
JWT_HEAD = base64.urlsafe_b64encode(b'{"alg":"HS256"}').decode().rstrip("=")


def redacted(text: str) -> str:
    return Redactor().apply(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("password=hunter2 and more", "password=[REDACTED:1] and more"),
        ('{"db_password": "two words", "user": "ann"}', '{"db_password": "[REDACTED:1]", "user": "ann"}'),
        ("{'password': 'it\\'s mine', 'n': 1}", "{'password': '[REDACTED:1]', 'n': 1}"),
        ('"{\\"api_key\\": \\"abc\\", \\"n\\": 1}"', '"{\\"api_key\\": \\"[REDACTED:1]\\", \\"n\\": 1}"'),
        ("apiKey: abc-def", "apiKey: [REDACTED:1]"),
        ("os.environ['DB_PASSWORD'] = 'x y'", "os.environ['DB_PASSWORD'] = '[REDACTED:1]'"),
        ("('X-Api-Key', 'abc-def')", "('X-Api-Key', '[REDACTED:1]')"),
        ("mysql --password hunter2 --host x", "mysql --password [REDACTED:1] --host x"),
        ("?token=abc123&x=1", "?token=[REDACTED:1]&x=1"),
        ("status=0|token=abc|hit=true", "status=0|token=[REDACTED:1]|hit=true"),
        ("Password=p&ss;w,rd!;Database=x", "Password=[REDACTED:1];Database=x"),
        ("<password>hunter2</password>", "<password>[REDACTED:1]</password>"),
        ("Cookie: sid=abc; theme=dark\nHost: x", "Cookie: [REDACTED:1]\nHost: x"),
        ("-H 'Authorization: Bearer abcdefgh1' url", "-H 'Authorization: Bearer [REDACTED:1]' url"),
        ("Authorization: Digest user=a, response=b", "Authorization: Digest [REDACTED:1]"),
        ("got Bearer abc123def456 twice", "got Bearer [REDACTED:1] twice"),
        ("postgres://u:p@h/db", "postgres://[REDACTED:1]@h/db"),
        ("https://a@b.c:pa@ss@h:5432/db", "https://[REDACTED:1]@h:5432/db"),
        ("redis://:secret/with@h/0", "redis://[REDACTED:1]@h/0"),
        ("id AKIAIOSFODNN7EXAMPLE.", "id [REDACTED:1]."),
        ("a\n-----BEGIN EC PRIVATE KEY-----\nMHc\nb3Q=\n-----END EC PRIVATE KEY-----\nz", "a\n[REDACTED:1]\nz"),
        ("'-----BEGIN PRIVATE KEY-----\\nMHcC\\n-----END PRIVATE KEY-----\\n'", "'[REDACTED:1]\\n'"),
        ("-----BEGIN PRIVATE KEY-----\nMHcCAQEE\nb3QgYSBr\nand then it was cut", "[REDACTED:1]\nand then it was cut"),
        ("cut here:\nMHcCAQEE\nb3Q=\n-----END PRIVATE KEY-----\nz", "cut here:\n[REDACTED:1]\nz"),
        ("'line\\nAKIAIOSFODNN7EXAMPLE'", "'line\\n[REDACTED:1]'"),
        ("\x1b[31mAKIAIOSFODNN7EXAMPLE\x1b[0m", "\x1b[31m[REDACTED:1]\x1b[0m"),
        ("ghp_0123456789\x1b[1mabcdefghijklmnop", "[REDACTED:1]"),
        ("pass\u200bword=hunter2", "pass\u200bword=[REDACTED:1]"),
        (f"{JWT_HEAD}.eyJzdWIiOiIxIn0.c2ln", "[REDACTED:1]"),
    ],
)
def test_a_secret_is_replaced_whole_and_its_name_stays(text, shown):
    """Fault 135."""
    assert redacted(text) == shown


@pytest.mark.parametrize(
    "line",
    [
        "verify_password called 2 times",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "commit 5f18045c0d1f6b0b2f1d3e4c5a69788796a5b4c3",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        'ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"',
        "integrity sha512-oV9bXQ1pQx0T3mZkq8yB2uW7cR5sD4fG6hJ9kL1nM3pQ7rS8tU0vW2xY4zA6bC8dE0fG2hI4jK6lM8nO0pQ2rS==",
        "traceparent 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "unexpected token: expected ')'",
        "PASS: test_export_sorted",
        "--- PASS: TestFooBarAndMore2 (0.00s)",
        "pass=12 fail=3",
        "max_tokens=4000 token_type=bearer",
        "key=a keys=a,b",
        "password=none token: missing",
        "export TOKEN=$TOKEN && login --password ${PASSWORD}",
        "/usr/lib/python3.11/site-packages/Foo2/BarBazQuux/Thing.py",
        "http://localhost:8080/a/@scope/package",
        "test_TheThing2_does_something_that_is_long",
        "AssertionError: ['2026-03-01', '2026-02-28'] != ['2026-02-28', '2026-03-01']",
        "A|4|delete|status=1|error=missing",
        "Basic authentication, Bearer token and task-management-system-for-you",
    ],
)
def test_what_is_no_secret_stays(line):
    assert redacted(line) == line


def drawn(alphabet: str, size: int, seed: int) -> str:
    return "".join(random.Random(seed).choices(alphabet, k=size))


KINDS = {
    "github": lambda seed: "ghp_" + drawn(ALNUM, 36, seed),
    "github fine-grained": lambda seed: "github_pat_" + drawn(ALNUM + "_", 82, seed),
    "gitlab": lambda seed: "glpat-" + drawn(URLSAFE, 20, seed),
    "openai": lambda seed: "sk-proj-" + drawn(URLSAFE, 64, seed) + "9",
    "slack": lambda seed: f"xoxb-{drawn(string.digits, 12, seed)}-{drawn(ALNUM, 24, seed)}",
    "stripe": lambda seed: "sk_live_" + drawn(ALNUM, 24, seed),
    "google": lambda seed: "AIza" + drawn(URLSAFE, 35, seed),
    "cloud id": lambda seed: "AKIA" + drawn(string.ascii_uppercase + string.digits, 16, seed),
    "web token": lambda seed: f"{JWT_HEAD}.{drawn(URLSAFE, 60, seed)}.{drawn(URLSAFE, 43, seed)}",
    "private key": lambda seed: (
        "-----BEGIN PRIVATE KEY-----\n"
        + "\n".join(drawn(ALNUM + "+/", 64, seed + line) for line in range(3))
        + "\n-----END PRIVATE KEY-----"
    ),
    "unknown": lambda seed: drawn(ALNUM + "+/", 40, seed),
}
PLACES = [
    "{}",
    "got {} twice",
    "'{}'",
    "a={};",
    "line\\n{}\\nline",
    "\x1b[31m{}\x1b[0m",
    '{{"a": "{}"}}',
    "({})",
    "https://h/?q={}&r=1",
    "[{}, {}]",
    "x|y={}|z=1",
    "Authorization: Bearer {}",
    "password={}",
    "token: {}",
    "\u200b{}\ufeff",
    "\\x1b[1m{}\\x1b[0m",
]


@given(kind=st.sampled_from(sorted(KINDS)), place=st.sampled_from(PLACES), seed=st.integers(0, 2**32))
def test_no_twelve_characters_of_a_planted_key_are_left(kind, place, seed):
    key = KINDS[kind](seed)
    shown = redacted(place.replace("{}", key).replace("{{", "{").replace("}}", "}"))
    assert not [key[at : at + 12] for at in range(len(key) - 11) if key[at : at + 12] in shown]


VALUE = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="\"'`,;&|<>"), min_size=1)


@given(
    name=st.sampled_from(["password", "DB_PASSWORD", "apiKey", "client_secret", "--token"]),
    value=VALUE.filter(lambda value: not value.startswith(("=", "\\"))),
)
@example(name="password", value="BEARER")
def test_a_value_behind_a_name_goes_whole(name, value):
    shown = value if is_plain(value) else "[REDACTED:1]"
    assert redacted(f"before {name}={value} after") == f"before {name}={shown} after"


def test_an_escape_behind_a_name_may_be_a_blank_so_what_follows_it_goes_too():
    """Whether a program spelled an escape or printed a backslash, nobody knows."""
    assert redacted(r"before password=\0 after") == "before password=[REDACTED:1] [REDACTED:2]"


@given(
    st.lists(
        st.one_of(
            st.text(),
            st.sampled_from([*PLACES, "[REDACTED:1]", "[REDACTED:", "]", "password=", "token: ", "Bearer ", '"']),
            st.sampled_from(sorted(KINDS)).map(lambda kind: KINDS[kind](7)),
        ),
        max_size=8,
    ).map("".join)
)
def test_redaction_is_idempotent(text):
    redactor = Redactor()
    once = redactor.apply(text)
    assert redactor.apply(once) == once
    assert redacted(once) == once


def test_the_same_secret_has_the_same_number_everywhere():
    first, second = KINDS["github"](1), KINDS["stripe"](2)
    texts = Redactor().apply_all((f"a {first}", f"password={second} {first}", f"('{second}')"))
    assert texts == ("a [REDACTED:1]", "password=[REDACTED:2] [REDACTED:1]", "('[REDACTED:2]')")


def test_a_secret_that_its_name_gives_away_is_a_secret_where_no_name_stands_before_it():
    texts = Redactor().apply_all(("user typed correcthorse", "password=correcthorse", "f(correcthorse)"))
    assert texts == ("user typed [REDACTED:1]", "password=[REDACTED:1]", "f([REDACTED:1])")


def test_a_short_secret_is_taken_out_behind_its_name_only():
    assert redacted("password=abc then abc") == "password=[REDACTED:1] then abc"


def test_a_placeholder_that_a_program_prints_gets_no_secret_of_its_number():
    assert redacted("[REDACTED:1] password=hunter2") == "[REDACTED:1] password=[REDACTED:2]"


def test_a_value_whose_field_is_called_a_secret_goes_whole():
    redactor = Redactor()
    assert redactor.hide("session_token", "abc") == "[REDACTED:1]"
    assert redactor.hide("session_token", "none") == "none"
    assert redactor.hide("stdout", "abc") == "abc"


def test_what_the_caller_knows_is_taken_out_wherever_it_stands():
    """Fault 136: the text of a provider's error repeats the key."""
    redactor = Redactor(secrets=("local-key-of-mine", "short"))
    assert redactor.apply("401: bad key local-key-of-mine, short") == "401: bad key [REDACTED:1], short"


def test_the_environment_knows_secrets():
    environment = {
        "OPENAI_API_KEY": "abcdefgh",
        "HOME": "/home/ann",
        "GITHUB_TOKEN": "ijklmnop",
        "DB_PASSWORD": "short",
    }
    assert secrets_of(environment) == ("ijklmnop", "abcdefgh")


def test_a_fresh_redactor_has_the_rules_and_not_the_secrets():
    first = Redactor(["id-[0-9]{4}"], secrets=("known-to-us",))
    first.apply("password=correcthorse id-1234")
    assert first.fresh().apply("known-to-us correcthorse id-5678") == "[REDACTED:1] correcthorse [REDACTED:2]"


def test_what_was_found_is_counted_by_rule():
    redactor = Redactor(["order-[0-9]+"])
    redactor.apply("password=hunter2 AKIAIOSFODNN7EXAMPLE order-12 order-13")
    assert redactor.found == {"name": 1, "cloud id": 1, "pattern 1": 2}


@pytest.mark.parametrize(
    ("pattern", "text", "shown"),
    [
        ("order-[0-9]+", "see order-12.", "see [REDACTED:1]."),
        ("user=(?P<secret>[a-z]+)", "user=ann role=dev", "user=[REDACTED:1] role=dev"),
        ("Müller [A-Z]{2}", "für Müller AB: ✓", "für [REDACTED:1]: ✓"),
        ("REDACT[A-Z]+:x", "[REDACTED:1]", "[REDACTED:1]"),
    ],
)
def test_a_pattern_of_the_user_is_a_rule(pattern, text, shown):
    assert Redactor([pattern]).apply(text) == shown


@pytest.mark.parametrize(
    ("patterns", "complaint"),
    [
        (["("], "redaction pattern 1, '(': not an RE2 pattern: missing ): ("),
        (["ok-1", "(?=x)y"], "redaction pattern 2, '(?=x)y': not an RE2 pattern: invalid perl operator: (?="),
        ([""], "redaction pattern 1, '': expected 1 to 1000 characters, got 0"),
        (["a*"], "redaction pattern 1, 'a*': it matches in ''"),
        (["."], "redaction pattern 1, '.': it matches in ' '"),
        (["[A-Z]+:[0-9]"], "redaction pattern 1, '[A-Z]+:[0-9]': it matches in '[REDACTED:1]'"),
        (["ab", "ab"], "redaction pattern 2, 'ab': it stands there twice"),
        (["a\ud800b"], "redaction pattern 1, 'a\\ud800b': not an RE2 pattern: a lone surrogate"),
        ([f"x{n}y" for n in range(101)], "redaction: expected at most 100 patterns, got 101"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused(patterns, complaint):
    with pytest.raises(RedactionError) as error:
        Redactor(patterns)
    assert error.value.what == complaint


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("password", True), ("DB_PASSWORD", True), ("PGPASSWORD", True), ("apiKey", True), ("X-Api-Key", True),
        ("aws_secret_access_key", True), ("accessToken", True), ("AccountKey", True), ("pwd", True), ("Set-Cookie", True),
        ("tokens", False), ("max_tokens", False), ("token_count", False), ("password_file", False), ("author", False),
        ("key", False), ("keyboard", False), ("bypass", False), ("stdout", False), ("", False),
    ],
)  # fmt: skip
def test_a_name_calls_its_value_a_secret(name, secret):
    assert names_secret(name) == secret


@pytest.mark.parametrize(
    "text",
    ["key=" * 50_000, "eyJ" * 60_000, "a://b:c/" * 20_000, "-----BEGIN A-----" * 10_000, "-----END AB-----\n" * 8_000,
     " ".join(f"token=aaaaaaa{n}" for n in range(8_000)), 'password="' + '\\"' * 60_000, "[REDACTED:1]" * 10_000],
    ids=["names", "web tokens", "urls", "open blocks", "closed blocks", "many secrets", "quotes", "placeholders"],
)  # fmt: skip
@pytest.mark.slow
def test_no_text_makes_redaction_slow(text, no_hang):
    redacted(text)

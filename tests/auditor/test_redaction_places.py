"""Secrets that the words round them give away."""

from __future__ import annotations

import pytest

from auditor.drafting.redact import Redactor


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Password for bob: Hunter2Pass", "Password for bob: [REDACTED:1]"),
        ("password for the admin user: swordfish", "password for the admin user: [REDACTED:1]"),
        ("the password is Hunter2Pass.", "the password is [REDACTED:1]."),
        ("password was hunter22, sorry", "password was [REDACTED:1], sorry"),
        ('password for bob is "swordfish"', 'password for bob is "[REDACTED:1]"'),
        ("the token is abc123def", "the token is [REDACTED:1]"),
        ("+ curl -u bob:hunter2 https://x", "+ curl -u [REDACTED:1] https://x"),
        ("curl -s --user 'bob:it is' https://x", "curl -s --user '[REDACTED:1] is' https://x"),
        ("['curl', '-u', 'bob:hunter2']", "['curl', '-u', '[REDACTED:1]']"),
        ('["curl","--proxy-user","bob:hunter2"]', '["curl","--proxy-user","[REDACTED:1]"]'),
        ("sshpass -p hunter2 ssh x", "sshpass -p [REDACTED:1] ssh x"),
        ("sshpass -phunter2 ssh x", "sshpass -p[REDACTED:1] ssh x"),
        ("db:\n  password:\n    hunter2x\n  user: ann", "db:\n  password:\n    [REDACTED:1]\n  user: ann"),
        ("password: |\n  hunter2x\n\n  more\nuser: ann", "password: |\n  [REDACTED:1]\nuser: ann"),
        ("- token: >-\n    abcdef\n- x", "- token: >-\n    [REDACTED:1]\n- x"),
        ('{"pw": "X9", "n": 1}', '{"pw": "[REDACTED:1]", "n": 1}'),
        ("otp=123456", "otp=[REDACTED:1]"),
        ("x glsa_abcdefghij0123456789KLMNOP_12345678", "x [REDACTED:1]"),
    ],
)
def test_a_secret_in_its_place_is_replaced_and_the_words_stay(text, shown):
    assert Redactor().apply(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "password is required",
        "The password is too short",
        "the password is case-sensitive, the token is UTF-8",
        "password is correct and the token is NOT stored",
        "token is expired",
        "password for bob: required",
        "token of the parser: NAME",
        "secret of success: work",
        "docker run -u 1000:1000 x",
        "rsync -u here:there",
        "curl -u bob: https://host",
        "curl https://host:8080/x",
        "sshpass -e ssh -p 22 x",
        "mkdir -p x",
        "password:\n  min_length: 8",
        "password:\n  - policies\n",
        "password:\n    The password to use\n",
        "password:\nuser: ann",
        "if token:\n    return",
        "password: |\nnext: 1",
        "key: |\n  abc",
        "text: |\n  of several\n  lines",
        "pw_count=3 pwm=12345",
    ],
)
def test_what_is_in_no_such_place_stays(text):
    assert Redactor().apply(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "password" + " " * 200_000,
        "password for " * 30_000,
        "curl -u " * 30_000,
        "curl " + "-u" * 100_000,
        "sshpass -p" * 30_000,
        "password: |\n" * 30_000,
        "".join(f"{' ' * depth}password: |\n" for depth in range(600)),
        "password:\n" + " " * 200_000,
    ],
)
def test_no_text_makes_the_rules_slow(text, no_hang):
    Redactor().apply(text)

"""Names and forms of what is private: never copied into a file that is committed."""

import pytest

from gate.corpus.transcripts.credentials import secret_in
from gate.corpus.transcripts.private_names import private_path
from gate.domain import Step


def seen(*words, stdin=None, **env):
    return secret_in(Step(argv=tuple(word.encode() for word in words), stdin=stdin, env=env))


@pytest.mark.parametrize(
    "name",
    [
        "PGPASSWORD", "MYSQL_PWD", "SIGNING_KEY", "DB_PW", "SESSION_COOKIE", "SSHPASS", "MYSECRET", "GITHUBTOKEN", "KEY_PASSPHRASE",
        "AWS_SECRET_ACCESS_KEY", "COOKIE_JAR", "X_AUTH_TOKEN",
    ],
)  # fmt: skip
def test_a_variable_with_the_name_of_a_secret_is_one(name):
    assert seen("get", **{name: "abc"}) == "a variable that is named like a secret"
    assert seen("get", **{name: ""}) is None


@pytest.mark.parametrize("name", ["PAGER", "KEYBOARD", "MONKEY", "AUTHOR", "BYPASS", "PWDS", "MAX_TOKENS", "DEBUG"])
def test_a_variable_with_another_name_is_none(name):
    assert seen("get", **{name: "abc"}) is None


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("--pw", "hunter2"), "a value of an option that is named like a secret"),
        (("--dbpassword", "hunter2"), "a value of an option that is named like a secret"),
        (("--session-cookie", "a"), "a value of an option that is named like a secret"),
        (("--signing-key", "a"), "a value of an option that is named like a secret"),
        (("--pwd=hunter2",), "a value under the name of a secret"),
        (("-phunter2",), "a password joined to its option"),
        (("-u", "me:hunter2"), "a user with a password"),
        (("SIGNING_KEY=abc",), "a value under the name of a secret"),
        (("Cookie: a=b",), "a value under the name of a secret"),
    ],
)
def test_a_word_under_the_name_of_a_secret_is_one(words, kind):
    assert seen("get", *words) == kind


@pytest.mark.parametrize(
    "words",
    [
        ("-p8080",), ("-p", "hunter2"), ("-pretty",), ("-pout.txt",), ("-u", "1000:1000"), ("--sort-key", "name"), ("--key", "a"),
        ("sort_key=a",), ("--compass", "n"), ("a.py:12:3:E501:long",), ("machine", "x", "login", "y"), ("12:30:15:a:b",),
    ],
)  # fmt: skip
def test_an_ordinary_word_beside_an_ordinary_option_is_no_secret(words):
    assert seen("get", *words) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"machine h login me password hunter2\n", "a password of a netrc"),
        (b"x,y\nmachine\th\n  login me\n  password hunter2\n", "a password of a netrc"),
        (b"default login me password hunter2", "a password of a netrc"),
        (b"db.example:5432:shop:me:hunter2\n", "a password of a pgpass"),
        (b"# all\n*:*:*:me:hun\\:ter2\n", "a password of a pgpass"),
        (b"me:$apr1$abc$def\n", "a digest of a password"),
        (b"me:{SHA}abc=\n", "a digest of a password"),
        (b"<server><password>x</password></server>", "a value in an element that is named like a secret"),
        (b"export MYSQL_PWD=abc\n", "a value under the name of a secret"),
    ],
)
def test_the_forms_of_files_of_passwords_are_known(text, kind):
    assert seen("load", stdin=text) == kind


@pytest.mark.parametrize(
    "path",
    [
        ".netrc", "_netrc", "data/netrc.csv", ".pgpass", "pgpass.conf", ".htpasswd", "site.htpasswd", ".bash_history", "python_history",
        ".bash_history-0123.tmp", ".ssh/config", "a/.aws/x", ".docker/config.json", ".gnupg/x", ".kube/config", "id_rsa", "id_ed25519.pub",
        "server.pem", "A.KEY", ".npmrc", ".pypirc", ".git-credentials", ".my.cnf", "my-secrets.txt", "api-token.txt", "Passwords.csv",
    ],
)  # fmt: skip
def test_a_file_in_which_people_keep_secrets_is_known_by_its_name(path):
    assert private_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "a.txt",
        ".env",
        "history.md",
        "docs/history",
        "boto.py",
        "keys.json",
        "tokenizer.sql",
        ".flake8",
        "monkey",
        "config",
    ],
)
def test_an_ordinary_file_is_not_private(path):
    assert not private_path(path)

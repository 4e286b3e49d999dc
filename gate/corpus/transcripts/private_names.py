"""Names under which people keep what is private: of files, variables and options. One list for all that copies something into files."""

from __future__ import annotations

import re

_FOLDERS = frozenset(
    {
        ".aws", ".azure", ".bitcoin", ".docker", ".electrum", ".gcloud", ".gnupg", ".kube", ".m2", ".mozilla",
        ".password-store", ".pki", ".ssh", ".subversion", ".terraform.d", ".thunderbird", "keyrings",
    }
)  # fmt: skip
_STEMS = frozenset(
    {
        "authinfo", "authorized_keys", "credentials", "dockercfg", "git-credentials", "htdigest", "htpasswd", "id_dsa", "id_ecdsa",
        "id_ed25519", "id_rsa", "kubeconfig", "known_hosts", "mylogin", "netrc", "npmrc", "pgpass", "pypirc", "s3cfg", "vault-token",
        "yarnrc",
    }
)  # fmt: skip
"""What a name begins with, whatever ending it has: `.netrc`, `_netrc`, `netrc.csv`."""
_DOTFILES = frozenset(
    {
        ".boto", ".envrc", ".esd_auth", ".iceauthority", ".lesshst", ".my.cnf", ".pulse-cookie", ".rhosts", ".viminfo", ".wget-hsts",
        ".xauthority",
    }
)  # fmt: skip
_ENDINGS = (
    ".gpg", ".jks", ".kdb", ".kdbx", ".key", ".keystore", ".ovpn", ".p12", ".pem", ".pfx", ".pgp", ".ppk",
)  # fmt: skip
_WITHIN = ("credential", "htpasswd", "passwd", "password", "secret")
_WORDS = frozenset({"private", "token", "tokens"})
_HISTORY = re.compile(r"\.[a-z0-9_-]*_?history\b.*|[a-z0-9_-]+_history")


def private_path(path: str) -> bool:
    """Whether a file of that path, with `/` between names, is one in which people keep secrets, by its name or by a folder above it."""
    *folders, name = path.lower().split("/")
    if not _FOLDERS.isdisjoint(folders):
        return True
    stem = name.lstrip("._").partition(".")[0]
    return (
        stem in _STEMS
        or name in _DOTFILES
        or name.endswith(_ENDINGS)
        or any(word in name for word in _WITHIN)
        or not _WORDS.isdisjoint(re.split(r"[^a-z0-9]+", name))
        or _HISTORY.fullmatch(name) is not None
    )


_KEYS = (
    rb"access|account|api|app|auth|client|deploy|encryption|host|license|master|private|secret|service|session|shared|sign(?:ing)?"
    rb"|ssh|storage"
)
NAMED = (
    rb"(?:"
    rb"(?:[a-z0-9_-]{0,40})pass(?:words?|wd|phrase)"
    rb"|(?:[a-z0-9_-]{0,40}[_-])?(?:pass|pw|pwd|secrets?|token|credentials?|auth|(?:" + _KEYS + rb")[_-]?key)"
    rb"|[a-z0-9_-]{0,40}cookies?"
    rb")(?:[_-][a-z0-9_-]{1,40})?"
)
"""A name of an option, or of a value in a text, that says that the value is secret; to be matched without letter case."""

_VARIABLE = re.compile(
    r".{0,200}(?:PASS(?:WORDS?|WD|PHRASE)|SSHPASS|SECRETS?|TOKEN|_PW|_PWD|_KEY|COOKIES?)(?:[_-]\w{1,40})?",
    re.IGNORECASE,
)
_NAME = re.compile(NAMED, re.IGNORECASE)


def private_variable(name: str) -> bool:
    """Whether a variable of that name holds what is secret. Broader than `NAMED`: any `…_KEY` does."""
    return _VARIABLE.fullmatch(name) is not None or _NAME.fullmatch(name.encode("utf-8", "surrogatepass")) is not None

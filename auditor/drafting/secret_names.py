"""Secrets that a name gives away: `password=…`, `"api_key": "…"`, `--token …`, `Authorization: …`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

Span = tuple[int, int]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STRONG = _words(
    "password passwd passphrase passcode passwort pwd pw otp totp pass secret secrets token credential credentials creds apikey cookie"
)
_GLUED = ("password", "passwd", "passphrase", "secret", "credential", "apikey", "accesskey", "privatekey")
_WEAK = _words("session sid sessionid csrf xsrf auth authorization sig signature jwt bearer key")
_KEY_OF = _words(
    "api account access private secret signing encryption shared master auth service client ssh storage consumer app deploy license"
)
_ABOUT = _words(
    "count type types length len size limit index position pos name names kind expires expiry expired ttl at url uri file path"
)

# What stands where a secret could and is none: states, and the words that follow a name in a message.
_PLAIN = _words(
    """none null nil true false yes no on off empty missing required invalid valid expired unset set ok failed denied unknown default
    present absent expected unexpected got not is was are has be must should cannot could wrong bad error optional redacted hidden
    string str bytes int text password passwd token secret key session cookie auth user bearer basic digest undefined changed
    the a an this that it its fail failed passed skipped"""
)
_REFERENCE = re.compile(
    r"\*+|x{3,}|\.{2,}|…|\d{1,3}|\$\{[\w.]+\}|\$[A-Z_][A-Z0-9_]*|<[\w -]*>|\{\{?[\w .]*\}?\}|[|>][+-]?[0-9]?", re.ASCII
)

_NAME = re.compile(
    r"""(?<![\w-])(?P<name>[\w-]++)
        (?P<sep> (?P<after>\\*["'`]?)\]?[ \t]*+(?:=>|:=|[=!]=|[=:])[ \t]*+   # name = value, "name": value, d['name'] = value
               | \\*["'`],[ \t]*+(?=\\*["'`])                                 # 'name', 'value'
               | >(?=[^<\s])                                                  # <name>value
               | [ \t]++(?=[^\s-]) )                                          # --name value, where the name is an option
    """,
    re.VERBOSE | re.ASCII,
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_OPENER = re.compile(r"[bBrRuUfF]{0,2}(?P<quote>\\*(?:\"\"\"|'''|[\"'`]))")
_BARE = re.compile(
    r"""(?: (?![,;&|][ \t]*+[\w.-]++=) (?!\\*["'`](?:[\s,:;}\])]|$)) (?!</) \S )++""", re.VERBOSE | re.ASCII
)
_CLOSED = {quote: re.compile(rf"(?:\\.|[^\\{quote}\n])*+") for quote in "\"'`"}
_SCHEME = re.compile(r"(?:bearer|basic|digest|token|apikey|negotiate|aws4-hmac-sha256)[ \t]++", re.IGNORECASE)
_HEADER = frozenset(("cookie", "set-cookie", "authorization", "proxy-authorization"))
_JUDGED = 128  # characters of a value that its look is judged by
_LONG = 24


def names_secret(name: str) -> bool:
    """Whether what goes by this name is a secret whatever it looks like: `db_password`, `apiKey`, `GITHUB_TOKEN`."""
    parts = [part.lower() for part in _PART.findall(name)]
    if not parts or parts[-1] in _ABOUT:
        return False
    glued = "".join(parts)
    if not _STRONG.isdisjoint(parts) or glued.endswith("token") or any(word in glued for word in _GLUED):
        return True
    return any(word == "key" and before in _KEY_OF for before, word in pairwise(parts))


def looks_random(text: str) -> bool:
    """Whether a word of eight characters or more is hardly one of a language: digits, mixed case, or great length."""
    mixed = any(c.islower() for c in text) and any(c.isupper() for c in text[1:])
    return len(text) >= 8 and (mixed or len(text) >= _LONG or any(c.isdigit() for c in text))


def is_plain(value: str) -> bool:
    """Whether a value is a state, a reference or a small number rather than a secret: `none`, `missing`, `${TOKEN}`, `***`, `12`."""
    bare = value.strip("\"'`()[]{}.,;:")
    return bare.lower() in _PLAIN or not bare or _REFERENCE.fullmatch(value.strip("\"'`.,;:")) is not None


def named_secrets(text: str) -> Iterator[Span]:
    """Where `text` holds a value that the name before it calls a secret, leftmost first, without overlap.

    The span is the value alone, and all of it: up to the closing quote, else up to the next blank or the next pair; of a header
    `Cookie` or `Authorization` up to the end of the line.
    """
    at = 0
    while found := _NAME.search(text, at):
        at = found.end()
        name = found["name"]
        if found["sep"].isspace() and not name.startswith("-"):
            continue
        strong = names_secret(name)
        if not strong and not _is_weak(name):
            continue
        start, end = _value(text, found, stop=len(text) if strong else found.end() + _JUDGED)
        value = text[start : min(end, start + _JUDGED)]
        if value and _counts(name, value, found["sep"], strong=strong):
            start, end = _value(text, found, stop=len(text))
            yield start, end
            at = end


def _is_weak(name: str) -> bool:
    return any(part.lower() in _WEAK for part in _PART.findall(name)) or name.lower().endswith("key")


def _counts(name: str, value: str, sep: str, *, strong: bool) -> bool:
    """Whether a value of that name is a secret. A weak name (`key`, `session`) needs a value that looks like one."""
    if is_plain(value):
        return False
    if name.lower().strip("-") == "pass" and sep.strip() == ":":  # `PASS: test_export`
        return name != "PASS" and looks_random(value) and any(c.isdigit() for c in value)
    if strong or name.lower() in _HEADER:
        return True
    if name.lower().endswith("key"):  # `key=a` is any program's own word
        return len(value) >= 16 and looks_random(value) and any(c.isdigit() for c in value)
    return looks_random(value)


def _value(text: str, found: re.Match[str], *, stop: int) -> Span:
    """Where the value after a name stands, read no further than to `stop`."""
    at = found.end()
    opener = _OPENER.match(text, at)
    if opener:
        at = opener.end()
    end = max(at, _value_end(text, at, stop, found, opener["quote"] if opener else ""))
    return _past_scheme(text, at, end, found), end


def _value_end(text: str, start: int, stop: int, found: re.Match[str], quote: str) -> int:
    if quote in _CLOSED:
        return _match_end(_CLOSED[quote], text, start, stop)
    if quote:
        line = _line_end(text, start, stop)
        closed = text.find(quote, start, stop if len(quote) == 3 else line)
        return closed if closed >= 0 else line
    if found["name"].lower() in _HEADER and ":" in found["sep"]:
        return _header_end(text, found, start, stop)
    return _match_end(_BARE, text, _past_scheme(text, start, stop, found), stop)


def _past_scheme(text: str, start: int, stop: int, found: re.Match[str]) -> int:
    """Behind the `Bearer` of an authorization, whose name is no secret."""
    scheme = _SCHEME.match(text, start, stop) if "auth" in found["name"].lower() else None
    return scheme.end() if scheme else start


def _match_end(pattern: re.Pattern[str], text: str, start: int, stop: int) -> int:
    found = pattern.match(text, start, stop)
    return found.end() if found else start


def _header_end(text: str, found: re.Match[str], start: int, stop: int) -> int:
    """The end of a header's value: of the line, or of the quotes that the header stands in."""
    end = _line_end(text, start, stop)
    opened = text[found.start() - 1 : found.start()] if found.start() else ""
    closed = text.find(opened, start, end) if opened and opened in "\"'`" else -1
    return closed if closed >= 0 else end


def _line_end(text: str, start: int, stop: int) -> int:
    end = text.find("\n", start, stop)
    return max(start, min(stop, len(text))) if end < 0 else end

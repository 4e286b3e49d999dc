"""The words and signs of a usage line."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<dots>\.\.\.|…)|(?P<punct>[\[\]()|])|(?P<braced>\{[^{}]{0,4000}\})|(?P<angled><[^<>]{1,200}>)"
    r"|(?P<option>-{1,2}[A-Za-z0-9?#@][\w.:?+-]*|--?(?=\[))|(?P<equals>=)|(?P<word>[^\s\[\]()|{}<>=.][^\s\[\]()|{}<>=]*?(?=\.\.\.|…|[\s\[\]()|{}<>=]|$))|(?P<other>\S)"
)

_OPENING = frozenset("[(|")
_MOST_TOKENS = 3000


@dataclass(frozen=True, slots=True)
class Token:
    """One word or sign."""

    kind: str
    """dots, punct, braced, angled, option, equals, word, other."""
    text: str
    glued: bool
    """Whether no blank, nor an opening bracket or a bar, stands before it."""


def read_tokens(line: str) -> list[Token]:
    """The tokens of a line, at most some thousand."""
    tokens: list[Token] = []
    end, before = -1, ""
    for each in _TOKEN.finditer(line):
        tokens.append(Token(each.lastgroup or "", each.group(), each.start() == end and before not in _OPENING))
        end, before = each.end(), each.group()
        if len(tokens) == _MOST_TOKENS:
            break
    return tokens

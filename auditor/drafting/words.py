"""Words of a text as concepts: light English stemming, synonyms, phrases. Text in, values out; no other language is understood."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from auditor.drafting.fence import is_hidden, visible


class Word(NamedTuple):
    """One word or fixed phrase of a text."""

    start: int
    end: int
    text: str
    """As it stands, lower case."""
    concept: str
    """What it means: a canonical word, `#3` for the number three, `not` for a negation, `non-empty` as it stands, else the word's stem."""


_SYNONYMS = {
    "delete": "delete remove rm del erase drop unset purge discard omit hide",
    "list": "list ls dir enumerate",
    "sort": "sort ordered alphabetical alphabetically ascending lexicographic lexicographical",
    "get": "get fetch read lookup",
    "set": "set put assign",
    "add": "add create append include introduce",
    "show": "show print display output emit say tell report mention write",
    "fail": "fail failure reject refuse abort deny crash die",
    "succeed": "succeed success successful successfully pass accept allow tolerate permit",
    "missing": "missing absent nonexistent inexistent nonexisting",
    "empty": "empty blank",
    "duplicate": "duplicate duplication repeated repeat twice existing",
    "unknown": "unknown unrecognised unrecognized unsupported",
    "invalid": "invalid malformed illegal bad",
    "warn": "warn warning",
    "help": "help usage",
    "quiet": "silent silently quiet quietly",
    "error": "error err",
    "exit": "exit status returncode code rc",
    "round": "round rounding digit decimal precision",
    "upper": "uppercase capital capitalised capitalized upper",
    "lower": "lowercase lower",
    "space": "whitespace newline indent indentation indented space align alignment aligned padding pretty trailing",
    "idempotent": "idempotent idempotently idempotency idempotence",
    "true": "true yes",
    "false": "false",
    "hint": "hint suggestion suggest",
    "not": "stop cease revert avoid skip prevent disable ban forbid prohibit disallow lack unable",
}
_PHRASES = (
    (r"(?:can )?no[- ]longer|not any ?more|any ?more", "not"),
    (r"can ?not|not able to|unable to|anything but|far from|fail(?:s|ed|ing)? to", "not"),
    (r"no[- ]ops?|not an? error|not an? failure|never an? error", "succeed"),
    (r"non[- ]zero", "nonzero"),
    (
        r"non[- ]existent|non[- ]existing|not found|(?:does|do) not exist|(?:does|do)n['\u2019]t exist"
        r"|(?:is |are )?not (?:there|present)|(?:is|are)n['\u2019]t (?:there|present)",
        "missing",
    ),
    (r"non-[^\W\d_]+", "non-"),
    (r"already (?:exists?|there|present|set|taken)", "duplicate"),
    (r"(?:is|are|as|becomes?|gives?|raises?|returns?|now) (?:now )?an? (?:\w+ )?(?:error|failure)|errors? out", "fail"),
    (r"(?:instead of|rather than|in place of)(?: nothing\b)?", "not"),
    (r"upper[- ]case[sd]?", "upper"),
    (r"lower[- ]case[sd]?", "lower"),
    (r"line breaks?|line feeds?|new lines?", "space"),
    (r"used to|up to now|so far|until now|before (?:this|the) (?:patch|change|commit)", "before"),
    (r"(?:follow|next)[- ]up|not yet|later on|for now|for the moment|for the time being", "later"),
    (r"(?:all|every|each|any)(?: of the)? (?:commands?|subcommands?)|every ?where", "everywhere"),
    (r"same as|just as|as in|such as|similar to|like|unlike|than|as", "compared"),
    (r"except(?: for)?|apart from|other than|but not", "except"),
)
_COUNT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBERS = {name: str(number) for number, name in enumerate(_COUNT)}
"""Number words up to ten; `once`, `first` and the like are left alone."""

_SPECIAL = {
    **dict.fromkeys(("not", "no", "never", "without", "neither", "nor"), "not"),
    **dict.fromkeys(("previously", "formerly", "was", "were", "had", "originally", "earlier"), "before"),
    **dict.fromkeys(
        ("might", "may", "could", "later", "todo", "future", "eventually", "someday", "would", "planned"), "later"
    ),
    **dict.fromkeys(("order", "orders"), "order"),
    **dict.fromkeys(("wrote", "told", "said"), "show"),
    **dict.fromkeys(("crashes", "errored"), "fail"),
    "hidden": "delete",
    "forbidden": "not",
}
"""Words that are what they are in this form only: `orders` may be things to buy, `ordered` is sorted."""

_WORD = re.compile(
    "|".join(
        (
            *(rf"(?P<p{number}>\b(?:{pattern})\b)" for number, (pattern, _) in enumerate(_PHRASES)),
            r"(?<![\w-])--?[A-Za-z][\w-]*",
            r"\d+(?:[.,]\d+)*",
            r"[^\W\d_]+(?:['\u2019]t\b)?",
        )
    ),
    re.IGNORECASE,
)
_ENDINGS = ("ingly", "edly", "ing", "ed", "ion", "es", "s", "e")
_INSTRUCTION = re.compile(
    r"(?:ignore|disregard|forget)\W+(?:\w+\W+){0,3}(?:above|previous|prior|rules?|instructions?|policy)"
    r"|(?:mark|treat|classify|class|consider|count|label|approve|allow|accept)\W+(?:\w+\W+){0,4}"
    r"(?:all|every|everything|any|this|these|intent(?:ed|ional)?|allowed|approved|expected|collateral)\b"
    r"|(?:^|\n)\W{0,20}(?:system|assistant|user|developer|reviewer(?: note)?|note to (?:the )?reviewer)\s*:"
    r"|\b(?:as an? (?:ai|assistant|language model)|you (?:are|must|should|have to) \w+|allow ?list|set expires)\b"
    r"|\bclass(?:ification)?\W{1,3}intent\b",
    re.IGNORECASE,
)


def words(text: str) -> tuple[Word, ...]:
    """The words, numbers, options and fixed phrases of a text, in order. Punctuation is none."""
    return tuple(_word(match) for match in _WORD.finditer(text))


def concepts(text: str) -> frozenset[str]:
    """What a text names. Empty for a text without words."""
    return frozenset(word.concept for word in words(text))


def _word(match: re.Match[str]) -> Word:
    text = match[0].lower()
    concept = _PHRASES[int(match.lastgroup[1:])][1] if match.lastgroup else concept_of(text)
    return Word(match.start(), match.end(), text, text if concept == "non-" else concept)


@cache
def concept_of(word: str) -> str:
    """The concept of one word in lower case."""
    if word[0].isdigit() or word in NUMBERS:
        return "#" + NUMBERS.get(word, word).replace(",", ".")
    if word.startswith("-"):
        return word
    if word.endswith(("n't", "n\u2019t")):
        return "not"
    return _SPECIAL.get(word) or _BY_STEM.get(stem(word), stem(word))


@cache
def stem(word: str) -> str:
    """The word without its ending, so that `deletes`, `deleted`, `deleting` and `deletion` are one. At least three letters stay."""
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending in _ENDINGS:
        left = word.removesuffix(ending)
        if left != word and len(left) >= 3 and any(letter in "aeiouy" for letter in left):
            return _undoubled(left)
    return word


def _undoubled(word: str) -> str:
    """`dropp` of `dropping` is `drop`; `pass` and `call` keep their two letters."""
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "slz"
    cut = word[:-1] if doubled else word
    return cut.removesuffix("e") if len(cut) > 3 else cut


_BY_STEM = {stem(word): concept for concept, group in _SYNONYMS.items() for word in group.split()}


def same_word(one: str, other: str) -> bool:
    """Whether two words are forms of one word, synonyms apart."""
    one, other = one.lower(), other.lower()
    return one == other or (one[0].isalpha() and other[0].isalpha() and stem(one) == stem(other))


def has_hidden(text: str) -> bool:
    """Whether a text holds a hidden character, as fence.py says which are."""
    return visible(text) != text


def instruction_like(text: str) -> bool:
    """Whether a text speaks to whoever classifies it. A hint for a reviewer and a reason not to quote; never a proof of harmlessness."""
    if _INSTRUCTION.search(text):
        return True
    return has_hidden(text) and bool(_INSTRUCTION.search("".join(char for char in text if not is_hidden(char))))

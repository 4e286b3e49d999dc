"""Records for property tests."""

from hashlib import sha256

from hypothesis import strategies as st

from gate.domain import CaseId, Record, Value, value

TRACE_LIKE = (
    b"--- step 3 ---",
    b"$ ls",
    b'{"step":4}',
    b'{"case":"A","step":4,"command":"put","fields":{}}',
    b"A|2|put|k=v",
    b"> put",
    b"\0",
    b"\r\n",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"no final newline",
)


def texts(*, exclude: str = "") -> st.SearchStrategy[str]:
    return st.text(st.characters(codec="utf-8", exclude_characters=exclude), max_size=8)


def payloads() -> st.SearchStrategy[bytes]:
    return st.one_of(st.binary(max_size=24), st.sampled_from(TRACE_LIKE), st.text(max_size=8).map(str.encode))


@st.composite
def values(draw: st.DrawFn) -> Value:
    data = draw(payloads())
    if draw(st.booleans()):
        return value(data)
    more = draw(st.binary(max_size=4))
    digest = sha256(data + more).hexdigest() if more else None
    return Value(data=data, size=len(data + more), sha256=digest, overflow=draw(st.booleans()) or not more)


def records() -> st.SearchStrategy[Record]:
    return st.builds(
        Record,
        case=texts().filter(bool).map(CaseId),
        step=st.integers(0, 10**18 - 1),
        command=texts(),
        fields=st.dictionaries(texts().filter(bool), values(), max_size=4),
    )


def plain_records() -> st.SearchStrategy[Record]:
    """Records that the exchange format can hold."""
    held = payloads().map(lambda data: value(data.translate(None, b"|\n\r")))
    return st.builds(
        Record,
        case=texts(exclude="|\n\r\0{\ufeff").filter(bool).map(CaseId),
        step=st.integers(0, 10**18 - 1),
        command=texts(exclude="|\n\r\0"),
        fields=st.dictionaries(texts(exclude="|=\n\r\0").filter(bool), held, max_size=4),
    )

"""Words for a shell: whatever bytes they hold, the shell gives a program just these."""

import shutil
import subprocess

import pytest

from gate.report.shell_words import feeding, quoted

SHELLS = [shell for shell in ("sh", "dash", "bash", "busybox") if shutil.which(shell)]
HOSTILE = [
    b"",
    b"plain",
    b"-n",
    b"a b",
    b"it's",
    b'$(touch x) `y` "z" \\ ; & | > *',
    b"%s\\n",
    b"\n",
    b"ends in newlines\n\n",
    b"\nbegins with one",
    b"\xc3\xa9",
    b"\xff\xfe not utf-8 \xc3",
    b"\x1b[31m\x07\x7f",
    bytes(range(1, 256)),
    *(bytes([byte]) for byte in range(1, 256)),
]


def run(shell, script):
    words = [shell, "sh"] if shell == "busybox" else [shell]
    return subprocess.run(
        [*words, "-c", f"LC_ALL=C; export LC_ALL\nnl='\n'\n{script}"], capture_output=True, check=True
    )


@pytest.mark.parametrize("shell", SHELLS)
def test_a_program_gets_exactly_the_bytes_of_each_word(shell):
    words = " ".join(map(quoted, HOSTILE))
    told = run(shell, f"env printf '<%s>' {words}").stdout
    assert told == b"".join(b"<" + word + b">" for word in HOSTILE)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "data",
    [b"", b"one\n\ntwo\n", b"no newline", b"-n\n-e x", b"a\r\nb\x00\xff\n", b"%d\\x\n'\n", bytes(range(256)) * 9],
)
def test_standard_input_is_written_byte_for_byte(shell, data):
    assert run(shell, "\n".join(feeding(data))).stdout == data


@pytest.mark.parametrize("word", HOSTILE)
def test_a_word_is_printable_ascii(word):
    text = quoted(word)
    assert text.isascii()
    assert text.isprintable()


def test_plain_words_stay_as_they_are_typed():
    assert [quoted(word) for word in (b"list", b"--all", b"a b", b"it's", b"")] == [
        "list",
        "--all",
        "'a b'",
        "'it'\\''s'",
        "''",
    ]


def test_a_nul_byte_is_no_word():
    with pytest.raises(ValueError, match="NUL"):
        quoted(b"a\0b")

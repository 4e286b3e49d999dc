"""The example in `properties/`: one of two invariants, which the program was seen to hold."""

from __future__ import annotations

from gate.starter.trying import Tried

FILE = "test_example.py"
PASSED_BY = (
    "conftest.py",
    """# A plain run of pytest passes these properties by: they want fixtures of the gate, which reads no conftest.py and runs them itself.
collect_ignore_glob = ["*"]
""",
)
"""Beside it: without this file every run of the project's own tests would be red."""

_REFUSED = '''"""An option that the program does not have is an error, whatever its name."""

from hypothesis import given, settings, strategies as st


@settings(max_examples=10)
@given(st.text("abcxyz", min_size=1, max_size=8))
def test_an_unknown_option_is_refused(subject, letters):
    assert subject.run(f"--gate-no-such-option-{letters}").status != 0
'''

_STEADY = '''"""The same words give the same answer."""


def test_help_says_the_same_twice(subject):
    first, second = subject.run("--help"), subject.run("--help")
    assert (first.status, first.stdout, first.stderr) == (second.status, second.stdout, second.stderr)
'''


def example_property(tried: Tried) -> str | None:
    """The text of the file, by what was seen: an option that the program does not have is refused, else its help is the same twice.

    None where neither was seen to hold.
    """
    if tried.unknown.status.isdigit() and tried.unknown.status != "0":
        return _REFUSED
    return _STEADY if tried.help == tried.again else None

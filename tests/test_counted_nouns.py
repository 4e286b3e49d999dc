"""A number with its noun."""

import re
from pathlib import Path

import gate
from gate.counted import counted


def test_one_alone_has_no_s():
    assert [counted(number, "case") for number in (0, 1, 2)] == ["0 cases", "1 case", "2 cases"]


def test_it_is_written_once_in_the_gate():
    folder = Path(gate.__file__).parent
    again = [file.name for file in folder.rglob("*.py") if re.search(r"def _?counted\(number", file.read_text())]
    assert again == ["counted.py"]

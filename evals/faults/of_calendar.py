"""Faults in `calendar`, a program of the standard library that prints months and years."""

from __future__ import annotations

from evals.faults.values import Fault

_ENCODED = "            result = result.encode(options.encoding)\n            write = sys.stdout.buffer.write\n"
_UNSAID = "if --locale is specified --encoding is required"

CALENDAR_FAULTS = (
    Fault(
        id="calendar-01",
        program="calendar",
        file="calendar.py",
        old="        for i in range(self.firstweekday, self.firstweekday + 7):",
        new="        for i in reversed(range(self.firstweekday, self.firstweekday + 7)):",
        kind="ordering",
        right=("order",),
        subject="group d1",
        why="The names of the days stand in reverse above the days.",
    ),
    Fault(
        id="calendar-02",
        program="calendar",
        file="calendar.py",
        old="            self.monthdays2calendar(year, i)\n            for i in range(January, January+12)",
        new="            self.monthdays2calendar(year, i)\n            for i in range(January, January+11)",
        kind="off-by-one cap",
        right=("logic",),
        subject="group d1",
        why="A year has eleven months.",
    ),
    Fault(
        id="calendar-03",
        program="calendar",
        file="calendar.py",
        old="        yield from range(1, ndays + 1)",
        new="        yield from range(1, ndays)",
        kind="off-by-one cap",
        right=("logic",),
        subject="property last_day",
        why="The last day of a month is left out.",
    ),
    Fault(
        id="calendar-04",
        program="calendar",
        file="calendar.py",
        old=_ENCODED,
        new=(
            "            try:\n                result = result.encode(options.encoding)\n"
            "                write = sys.stdout.buffer.write\n            except LookupError:\n                pass\n"
        ),
        kind="swallowed error",
        right=("logic",),
        subject="group d1",
        why="An encoding that there is not is passed over.",
    ),
    Fault(
        id="calendar-05",
        program="calendar",
        file="calendar.py",
        old="            encoding = sys.getdefaultencoding()\n        optdict",
        new="            encoding = _locale.getencoding()\n        optdict",
        kind="encoding",
        right=("environment",),
        subject="group d1",
        why="A page is written in the encoding of the locale, whatever that is.",
    ),
    Fault(
        id="calendar-06",
        program="calendar",
        file="calendar.py",
        old="        type=int, default=3,",
        new="        type=int, default=4,",
        kind="default changed",
        right=("logic",),
        subject="group d1",
        why="A row of a year has four months by default.",
    ),
    Fault(
        id="calendar-07",
        program="calendar",
        file="calendar.py",
        old=f'        parser.error("{_UNSAID}")',
        new=f'        parser.exit(1, parser.format_usage() + f"{{parser.prog}}: error: {_UNSAID}\\n")',
        kind="exit code",
        right=("logic",),
        subject="group d1",
        why="A usage error ends in another status.",
    ),
)

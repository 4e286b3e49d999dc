"""The loop of `auditor review`: show an item, wait for a key, do that, go on. Skipping is what happens when nobody decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from auditor.drafting.values import Classified, Place
from auditor.review import screen
from auditor.review.decide import complaint_of
from auditor.review.desk import Desk, Entry
from auditor.review.editor import edited
from auditor.review.keys import KEYS, Terminal
from auditor.review.tally import pace_warning, sitting_words
from auditor.suggestions.model import Decision, text_of
from auditor.suggestions.plain import plain
from gate.api import GateError

_PROMPT = " ".join(f"{key}({word.removeprefix(key)})" for key, word in KEYS.items()) + " [s]: "
_LAST = "that was all; u(ndo) q(uit) [q]: "
_REASON = "reason (Enter: back): "


class Loop:
    """One sitting at one terminal."""

    def __init__(self, desk: Desk, terminal: Terminal, *, ticks: Callable[[], float]) -> None:
        """`ticks` is a clock in seconds, for how long an item was looked at."""
        self._desk = desk
        self._terminal = terminal
        self._ticks = ticks
        self._position = 0
        self._queue: Sequence[Entry] = ()
        self._skipped: set[Entry] = set()
        self._seen_whole: set[Entry] = set()
        self._since = 0.0
        self._headed: set[str] = set()

    def run(self, queue: Sequence[Entry]) -> None:
        """Go through the items in order until their end or `q`. Empty: nothing is asked."""
        self._queue = queue
        self._position = 0
        actions = {
            "a": self._accept,
            "e": self._edit,
            "r": self._reject,
            "s": self._skip,
            "d": self._details,
            "f": self._diff,
            "u": self._undo,
        }
        try:
            self._go_through(queue, actions)
        except KeyboardInterrupt:
            self._say("")  # the question stands there without an answer
            raise
        finally:  # also after Ctrl-C: what was decided stands
            self._end()

    def _go_through(self, queue: Sequence[Entry], actions: Mapping[str, Callable[[], bool]]) -> None:
        show = True
        while self._position < len(queue) or self._desk.done:
            at_end = self._position == len(queue)
            if show and not at_end:
                self._show_item()
            key = self._terminal.key(_LAST if at_end else _PROMPT)
            if key == "q" or (at_end and key != "u"):
                break
            show = self._done(actions[key])

    def _show_item(self) -> None:
        held = self._desk.suggestion(self._entry)
        gap = "\n" if self._headed else ""
        head = screen.head(held, width=self._terminal.width, colour=self._terminal.colour)
        if head and held.id not in self._headed:
            self._say(f"{gap}{head}")
        self._headed.add(held.id)
        item = screen.first_screen(self._view(), width=self._terminal.width, colour=self._terminal.colour)
        self._say(f"{gap}{item}")
        self._since = self._ticks()

    def _done(self, action: Callable[[], bool]) -> bool:
        """Whether another item, or the same one changed, is to be shown. A refusal leaves the person where he was."""
        try:
            return action()
        except GateError as error:
            for line in error.diagnostics().split("\n"):
                self._tell(line, style="warn")
            return False

    def _accept(self) -> bool:
        entry = self._entry
        item = self._desk.item(entry)
        view = self._view()
        if self._refused(view):
            return False
        if isinstance(item.draft, Classified) and item.draft.kind != "intent":
            self._tell("collateral: nobody asked for this change. To allow it, give your own reason: e", style="warn")
            return False
        if (places := self._places(view)) is None:
            return False
        text = text_of(item.draft)
        if view.own_reason:
            self._tell(f"{view.own_reason}: why is it intended?")
            if (own := self._reason()) is None:
                return False
            text = own
        return self._accepted(places, text)

    def _edit(self) -> bool:
        entry = self._entry
        view = self._view()
        if self._refused(view) or (places := self._places(view)) is None:
            return False
        text = edited(self._terminal, text_of(self._desk.item(entry).draft))
        if text is None:
            self._tell("nothing was changed")
            return False
        if why := complaint_of(text):
            self._tell(f"{why}; nothing was changed", style="warn")
            return False
        return self._accepted(places, text)

    def _accepted(self, places: Sequence[Place], text: str) -> bool:
        decision = self._desk.accept(self._entry, places, text=text, seconds=self._seconds())
        group = self._desk.item(self._entry).group
        where = "" if group is None else f" at {len(places)} of {len(group.places)} places"
        self._tell(f"{decision.verdict}{where}: {text}", style="new")
        for place in () if group is None else group.places:
            if place not in places:
                self._tell(f"stays flagged: {screen.place_words(place)}", style="warn")
        return self._next()

    def _reject(self) -> bool:
        why = self._terminal.line("why (Enter: no reason): ")
        if why is None:
            return False
        self._desk.reject(self._entry, why=why, seconds=self._seconds())
        self._tell("rejected")
        return self._next()

    def _skip(self) -> bool:
        self._skipped.add(self._entry)
        return self._next()

    def _details(self) -> bool:
        self._seen_whole.add(self._entry)
        self._say(screen.details(self._view(), width=self._terminal.width, colour=self._terminal.colour))
        return False

    def _diff(self) -> bool:
        self._say(screen.diff(self._view(), width=self._terminal.width, colour=self._terminal.colour))
        return False

    def _undo(self) -> bool:
        done = self._desk.undo()
        self._tell(f"undone: {done.decision.verdict} {done.entry[1]} of {done.entry[0]}")
        self._position = self._queue.index(done.entry)
        return True

    def _refused(self, view: screen.View) -> bool:
        """Whether the item cannot be accepted, which is then said."""
        for why in view.barriers:
            self._tell(f"cannot be accepted: {why}", style="warn")
        if not view.barriers and view.cut and self._entry not in self._seen_whole:
            self._tell("not all of it was shown: look at the details first: d", style="warn")
            return True
        return bool(view.barriers)

    def _places(self, view: screen.View) -> Sequence[Place] | None:
        """Where to accept the change: there is one place, or the person says which. None: nowhere."""
        group = view.item.group
        if group is None or len(group.places) == 1:
            return () if group is None else group.places
        out_of_reach = [one.place for one in view.unbound]
        open_places = [place for place in group.places if place not in out_of_reach]
        for number, place in enumerate(open_places, start=1):
            self._tell(f"{number}: {screen.place_words(place)}")
        for place in out_of_reach:
            self._tell(f"-: {screen.place_words(place)} stays flagged, whatever is chosen", style="warn")
        every = "all that have one" if out_of_reach else "all of this group"
        said = self._terminal.line(f"where? numbers such as 1,3, or {every} (Enter: back): ")
        if not said:
            return None
        return tuple(open_places) if said == "all" else self._numbered(said, open_places)

    def _numbered(self, said: str, places: Sequence[Place]) -> Sequence[Place] | None:
        words = [word.strip() for word in said.split(",")]
        if not all(
            word.isascii() and word.isdigit() and len(word) < 6 and 0 < int(word) <= len(places) for word in words
        ):
            self._tell(f"expected all, or numbers from 1 to {len(places)}; nothing was changed", style="warn")
            return None
        return tuple(places[number - 1] for number in sorted({int(word) for word in words}))

    def _reason(self) -> str | None:
        text = self._terminal.line(_REASON)
        if not text:
            return None
        if why := complaint_of(text):
            self._tell(f"{why}; nothing was changed", style="warn")
            return None
        return text

    @property
    def _entry(self) -> Entry:
        return self._queue[self._position]

    def _seconds(self) -> float:
        return round(self._ticks() - self._since, 1)

    def _next(self) -> bool:
        self._position += 1
        return True

    def _view(self) -> screen.View:
        entry = self._entry
        looked = self._desk.look(entry)
        return screen.View(
            position=self._position + 1,
            total=len(self._queue),
            suggestion=self._desk.suggestion(entry),
            item=self._desk.item(entry),
            silenced=looked.silenced,
            unbound=looked.unbound,
            barriers=looked.barriers,
            own_reason=looked.own_reason,
            unverified=looked.unverified,
            stated=looked.stated,
            unheld=looked.unheld,
        )

    def _end(self) -> None:
        decisions: list[Decision] = [done.decision for done in self._desk.done]
        skipped = len(self._skipped - {done.entry for done in self._desk.done})
        self._tell(sitting_words(decisions, skipped))
        if warning := pace_warning(decisions):
            self._tell(f"warning: {warning}", style="warn")
        if any(done.written for done in self._desk.done):
            self._tell("policy.json holds what you accepted. Look at it, run the gate again, and commit it yourself.")

    def _tell(self, text: str, *, style: str = "") -> None:
        line = [(style, "", plain(text))]
        self._say(screen.laid_out(line, width=self._terminal.width, colour=self._terminal.colour))

    def _say(self, text: str) -> None:
        self._terminal.show(text)

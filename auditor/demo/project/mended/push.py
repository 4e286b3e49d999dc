"""Sending entries to a remote that may be busy: a few attempts, and one line of log for each."""

import json
import os
from pathlib import Path

from reply import Reply

ATTEMPTS = 3
LOG = Path("push.log")


class Remote:
    """A folder that stands for a remote: it takes the entries, unless its file `busy` says how often it refuses."""

    def __init__(self, folder):
        self._busy = Path(folder) / "busy"
        self._inbox = Path(folder) / "inbox.json"

    def accept(self, entries):
        left = int(self._busy.read_text()) if self._busy.exists() else 0
        if left:
            self._busy.write_text(str(left - 1))
            return False
        self._inbox.write_text(json.dumps({"token": os.environ.get("KV_TOKEN", ""), "entries": entries}))
        return True


def push(entries, folder):
    remote = Remote(folder)
    for attempt in range(1, ATTEMPTS + 1):
        taken = remote.accept(entries)
        with LOG.open("a") as log:
            print(f"attempt {attempt}: {'taken' if taken else 'busy'}", file=log)
        if taken:
            return Reply(0, attempts=str(attempt))
    return Reply(1, error="busy", attempts=str(ATTEMPTS))

"""A key-value store that lives as long as its process, keys listed in sorted order."""

from push import push
from reply import Reply


class Store:
    def __init__(self):
        self._entries = {}

    def set(self, key, value):
        if not value:
            # An empty value is a value: keep it, there is nothing to check.
            self._entries[key] = value
            return Reply(0)
        warn = "duplicate" if key in self._entries else "none"
        self._entries[key] = value
        return Reply(0, warn=warn)

    def get(self, key):
        hit = key in self._entries
        return Reply(0, hit="true" if hit else "false", value=self._entries.get(key, ""))

    def delete(self, key):
        """Remove the key if it is there. Deleting twice is fine."""
        self._entries.pop(key, None)
        return Reply(0, error="none")

    def list(self):
        return Reply(0, order="sorted", keys=sorted(self._entries))

    def push(self, remote):
        return push(self._entries, remote)

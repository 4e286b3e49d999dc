"""A key-value store that lives as long as its process, keys listed in sorted order."""

from push import push
from reply import Reply


class Store:
    def __init__(self):
        self._entries = {}

    def set(self, key, value):
        if not value:
            return Reply(1, error="empty")
        self._entries[key] = value
        return Reply(0, warn="none")

    def get(self, key):
        value = self._entries.get(key)
        return Reply(0, hit="false" if value is None else "true", value=value or "")

    def delete(self, key):
        """Remove the key if it is there. Deleting twice is fine."""
        self._entries.pop(key, None)
        return Reply(0, error="none")

    def list(self):
        return Reply(0, order="sorted", keys=sorted(self._entries))

    def push(self, remote):
        return push(self._entries, remote)

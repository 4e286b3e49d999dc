"""What a command answers: a status and named facts, written `status=0|name=value`."""

from urllib.parse import quote


def _plain(fact):
    """A fact as one word without `|`, `=` or line ends: text percent-encoded, a list joined by commas."""
    return quote(fact, safe="") if isinstance(fact, str) else ",".join(quote(word, safe="") for word in fact)


class Reply:
    def __init__(self, status, **facts):
        self.status = status
        self.facts = {name: _plain(fact) for name, fact in facts.items()}

    def __str__(self):
        return "|".join([f"status={self.status}", *(f"{name}={fact}" for name, fact in self.facts.items())])

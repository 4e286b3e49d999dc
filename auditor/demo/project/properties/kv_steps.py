"""How the properties talk to kv: JSON lines in, `case|step|command|name=value` out."""

import json
from urllib.parse import unquote


def steps(*commands):
    """The input of one kv process that carries out the commands in turn."""
    lines = (json.dumps({"case": "p", "step": number, "argv": argv}) for number, argv in enumerate(commands, start=1))
    return "".join(f"{line}\n" for line in lines).encode()


def replies(result):
    """What each command answered, as a dict of text."""
    assert result.status == 0, result.stderr
    return [_facts(line.split("|")[3:]) for line in result.stdout.decode().splitlines()]


def _facts(words):
    return {name: unquote(value) for name, _, value in (word.partition("=") for word in words)}

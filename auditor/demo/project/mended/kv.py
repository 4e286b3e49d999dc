"""kv: a toy key-value program. One JSON line in is one step; one line out is what the step did.

in:  {"case": "A", "step": 1, "argv": ["set", "a", "1"]}
out: A|1|set|status=0|warn=none
"""

import json
import sys

from reply import Reply
from store import Store

OPERANDS = {"set": 2, "get": 1, "delete": 1, "list": 0, "push": 1}


def run(store, argv):
    """Carry out one command on the store."""
    command, *operands = argv
    if command not in OPERANDS or len(operands) != OPERANDS[command]:
        return Reply(2)
    return getattr(store, command)(*operands)


def main():
    store = Store()
    for line in sys.stdin:
        step = json.loads(line)
        print(step["case"], step["step"], step["argv"][0], run(store, step["argv"]), sep="|", flush=True)


if __name__ == "__main__":
    main()

from __future__ import annotations

import re
from pathlib import Path

from policy_cases import TODAY, bound, change, delta, opened, policy

from gate.domain import CaseId
from gate.policy.bind import bind
from gate.policy.load import parse_policy
from gate.policy.match import judge
from gate.policy.wording import EXPIRY_SENTENCE

PAGE = (Path(__file__).parents[2] / "docs" / "policy.md").read_text(encoding="utf-8")
REASON = "a missing key is an error now (issue 31)"


def test_every_example_of_the_page_is_read() -> None:
    empty, whole, unbound = (
        parse_policy(block.encode()) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    )
    assert empty == policy()
    assert whole == policy(
        bound("0", "2", case=CaseId("c-017"), step=4, reason=REASON, expires=TODAY),
        bound(
            "",
            "list is deprecated, use ls\n",
            "stderr",
            command="list",
            reason="deprecation notice (issue 28)",
        ),
    )
    assert unbound == policy(opened("c-017", 4, REASON))


def test_the_page_shows_what_binding_prints() -> None:
    (binding,) = bind(policy(opened("c-017", 4, REASON)), [delta(change("0", "2"), case="c-017")], "Ada").bindings
    assert f'bind {binding} (reason: "{REASON}"; reviewer: "Ada")\n' in PAGE


def test_the_page_says_when_a_date_ends_as_the_messages_do() -> None:
    """Fault 124."""
    assert EXPIRY_SENTENCE.removeprefix("a ") in PAGE
    assert judge([], policy(bound("0", "1", expires=TODAY)), today=TODAY).expired == ()

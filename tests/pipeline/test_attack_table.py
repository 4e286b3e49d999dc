"""Attack and outcome: hostile patches in a scratch repository, judged by `gate run --base main --head patch`. None ends in 0.

Every patch breaks the promise that the property and the corpus hold (reported faults 81 to 127, as far as a patch can try them).
"""

# One attack a line:
# ruff: noqa: E501
import json
import shutil

import pytest
from scratch_repository import MAIN_TO_PATCH, Repository, forget_git_of_mine

from gate import api

pytestmark = pytest.mark.slow

TOML = """\
version = 1
[program]
argv = ["{python}", "{build}/app.py"]
[replay]
confirm = 1
timeout = 4.0
[voting]
confirm = 1
timeout = 12.0
imports = ["src"]
"""

APP = """\
import sys
sys.path.insert(0, __file__.rpartition("/")[0] + "/src")
from kv import attempts
print(attempts() if sys.argv[1:] == ["push"] else "usage")
"""
KV = "def attempts():\n    return {attempts}\n"
OUTSIDE = '"""Through a process."""\n\n\ndef test_outside(subject):\n    assert int(subject.run("push").text) <= 3\n'
INSIDE = '"""In process."""\n\nfrom kv import attempts\n\n\ndef test_inside():\n    assert attempts() <= 3\n'
BROKEN = KV.format(attempts=4)

PASS_ALL = """\
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
"""
DESELECT = "[{section}]\naddopts = --deselect test_outside.py::test_outside --deselect test_inside.py::test_inside\n"

IN_A_VOTE = {
    "82 sys.exit at import": {"src/kv.py": "import sys\nif 'pytest' in sys.modules: sys.exit(0)\n" + BROKEN},
    "82 os._exit at import": {"src/kv.py": "import os, sys\nif 'pytest' in sys.modules: os._exit(0)\n" + BROKEN},
    "82 os._exit in a function": {"src/kv.py": "import os, sys\ndef attempts():\n    if 'pytest' in sys.modules: os._exit(0)\n    return 4\n"},
    "82 pytest.exit": {"src/kv.py": "import sys\ndef attempts():\n    if 'pytest' in sys.modules: sys.modules['pytest'].exit('done', 0)\n    return 4\n"},
    "84 a patched runner": {"src/kv.py": "import sys\nrunner = sys.modules.get('_pytest.runner')\nif runner: runner.check_interactive_exception = lambda *a: False\nif 'pytest' in sys.modules:\n    import _pytest.python\n    _pytest.python.Function.runtest = lambda self: None\n" + BROKEN},
    "85 pytest.skip in the code under test": {"src/kv.py": "import sys\ndef attempts():\n    if 'pytest' in sys.modules: sys.modules['pytest'].skip('later')\n    return 4\n"},
    "85 pytest.xfail in the code under test": {"src/kv.py": "import sys\ndef attempts():\n    if 'pytest' in sys.modules: sys.modules['pytest'].xfail('known')\n    return 4\n"},
    "93 hanging in a vote": {"src/kv.py": "import sys, time\ndef attempts():\n    if 'pytest' in sys.modules: time.sleep(60)\n    return 4\n"},
    "114 a collection that is cleared": {
        "src/kv.py": "import sys\nmain = sys.modules.get('_pytest.main')\nif main: main.Session.perform_collect = lambda self, *a, **k: []\n" + BROKEN
    },
    "a fork that goes on": {"src/kv.py": "import os, sys\ndef attempts():\n    if 'pytest' in sys.modules and os.fork() == 0: return 3\n    return 4\n"},
}  # fmt: skip
"""Where pytest is loaded; a process that a property starts is nothing but broken: the other property would vote as in any row."""

IN_PRODUCT = {
    "81 a conftest hook that turns failures into passes": {"conftest.py": PASS_ALL, "src/conftest.py": PASS_ALL},
    "83 atexit": {"src/kv.py": "import atexit, os\natexit.register(lambda: os._exit(0))\n" + BROKEN},
    "83 sitecustomize and usercustomize": {"sitecustomize.py": "raise SystemExit(0)\n", "src/usercustomize.py": "raise SystemExit(0)\n"},
    "83 a .pth file": {"src/evil.pth": "import os; os._exit(0)\n", "evil.pth": "import os; os._exit(0)\n"},
    "84 a number that is below everything": {"src/kv.py": "class N(int):\n    def __le__(self, other): return True\ndef attempts():\n    return N(4)\n"},
    "86 pytest.ini": {"pytest.ini": DESELECT.format(section="pytest"), "src/pytest.ini": DESELECT.format(section="pytest")},
    "86 tox.ini, setup.cfg and pyproject.toml": {
        "tox.ini": DESELECT.format(section="pytest"),
        "setup.cfg": DESELECT.format(section="tool:pytest"),
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-k nothing'\n",
    },
    "87 a plugin of the build": {
        "src/pytest_evil.py": PASS_ALL,
        "src/pytest_evil-1.dist-info/entry_points.txt": "[pytest11]\nevil = pytest_evil\n",
        "src/pytest_evil-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: pytest-evil\nVersion: 1\n",
    },
    "87 a pytest of the build": {"src/pytest.py": "def main(*a, **k): return 0\n", "src/_pytest/__init__.py": ""},
    "92 programs that shadow those of the system": {"bin/git": "#!/bin/sh\nexit 0\n", "bin/python3": "#!/bin/sh\nexit 0\n"},
    "93 hanging everywhere": {"src/kv.py": "import time\ndef attempts():\n    time.sleep(60)\n"},
    "113 a syntax error": {"src/kv.py": "def attempts(:\n"},
    "115 a module that is gone": {"src/kv.py": None},
    "119 failing seven times in eight": {"src/kv.py": "import os\ndef attempts():\n    return 3 + (os.urandom(1)[0] % 8 > 0)\n"},
    "127 the network": {"src/kv.py": "import socket\ndef attempts():\n    socket.create_connection(('192.0.2.1', 80), timeout=1)\n    return 3\n"},
    "a flood of output": {"src/kv.py": "import sys\ndef attempts():\n    sys.stdout.write('x' * (1 << 27))\n    return 4\n"},
    "a hostile suggestions folder": {"suggestions/1.json": '{"accepted": true}', "auditor.toml": "exit_code = 0\n"},
}  # fmt: skip

WITH_THE_JUDGE = {
    "85 a deleted property": {"properties/test_outside.py": None},
    "85 a skipped property": {"properties/test_outside.py": "import pytest\npytestmark = pytest.mark.skip\n" + OUTSIDE},
    "85 a weakened property": {"properties/test_outside.py": OUTSIDE.replace("<= 3", "<= 30")},
    "88 the policy": {"gate/policy.json": '{"allowed": [{"case": "A", "step": 1, "reason": "fine"}]}'},
    "89 the gate taken out of CI": {".github/workflows/ci.yml": "jobs: {}\n"},
    "94 a noise rule for everything": {"gate.toml": TOML + "[[noise]]\nname = 'all'\npattern = '.+'\n"},
    "104 a frozen property": {"gate/freeze_set.json": '{"frozen": ["outside", "inside"]}'},
    "105 a fixture": {"fixtures/limits.txt": "30\n"},
    "122 a lease": {"gate/quarantine.txt": "a::b\t2026-01-01\t2036-01-01\t3/10\n"},
    "the pins": {"gate/pins.json": "{}"},
    "a case set aside": {"gate/aside.jsonl": '{"aside":1}\n'},
}


@pytest.fixture(autouse=True)
def no_git_of_mine(tmp_path, monkeypatch):
    forget_git_of_mine(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    """The honest repository, made once and copied for each attack."""
    patch = pytest.MonkeyPatch()
    top = tmp_path_factory.mktemp("origin")
    forget_git_of_mine(top, patch)
    found = Repository(top / "repository")
    shutil.rmtree(found.project / "bin")
    for name, text in {
        "gate.toml": TOML,
        "app.py": APP,
        "src/kv.py": KV.format(attempts=3),
        "fixtures/limits.txt": "3\n",
        "properties/test_outside.py": OUTSIDE,
        "properties/test_inside.py": INSIDE,
    }.items():
        found.write(name, text)
    (found.project / "gate" / "corpus.jsonl").unlink()
    api_case(found)
    api.pin(found.project)
    found.commit("judge")
    patch.undo()
    return found.top


def api_case(found):
    from gate.corpus.format import with_case, write_corpus
    from gate.domain import Case, CaseId, Step

    case = Case(id=CaseId("A"), steps=(Step(argv=(b"push",)), Step(argv=(b"help",))))
    write_corpus(found.project / "gate" / "corpus.jsonl", with_case(None, case))


@pytest.fixture
def repository(origin, tmp_path):
    shutil.copytree(origin, tmp_path / "repository", symlinks=True)
    found = Repository.__new__(Repository)
    found.top = found.project = tmp_path / "repository"
    return found


def judged(repository, files):
    repository.git("switch", "-q", "-c", "patch")
    for name, text in {"src/kv.py": BROKEN, **files}.items():
        if text is None:
            (repository.project / name).unlink()
        else:
            path = repository.write(name, text)
            path.chmod(0o755 if text.startswith("#!") else 0o644)
    repository.commit("patch")
    repository.git("switch", "-q", "main")
    return repository.run(*MAIN_TO_PATCH, "--format", "json")


def test_the_honest_repository_is_clean(repository):
    done = judged(repository, {"src/kv.py": "# a comment\n" + KV.format(attempts=3)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["summary"] == "verified 8 of 8 checks, 2 properties voted, 0 abstained"


@pytest.mark.parametrize("attack", IN_A_VOTE)
def test_a_hostile_product_in_a_vote_never_ends_in_0(repository, attack):
    (repository.project / "properties" / "test_outside.py").unlink()
    api.pin(repository.project)
    repository.commit("in process alone")
    done = judged(repository, IN_A_VOTE[attack])
    assert done.returncode in {1, 2}, done.stdout + done.stderr
    if done.stdout:
        (ballot,) = json.loads(done.stdout)["votes"]["ballots"]
        assert ballot["property"] == "inside"
        assert ballot["ballot"] != "pass", ballot


@pytest.mark.parametrize("attack", IN_PRODUCT)
def test_a_hostile_product_never_ends_in_0(repository, attack):
    done = judged(repository, IN_PRODUCT[attack])
    wavers = {3} if attack.startswith("119") else set()  # seen to flip: an abstention, and never a 0
    assert done.returncode in {1, 2, *wavers}, done.stdout + done.stderr
    if done.stdout:
        ballots = {ballot["property"]: ballot for ballot in json.loads(done.stdout)["votes"]["ballots"]}
        if wavers:  # by chance one of the two may pass twice
            assert {ballot["ballot"] for ballot in ballots.values()} != {"pass"}, ballots
            return
        assert ballots["outside"]["ballot"] != "pass", ballots["outside"]
        in_process = attack.startswith("84 a number")  # an object that equals everything: docs/properties.md
        assert in_process or ballots["inside"]["ballot"] != "pass", ballots["inside"]


@pytest.mark.parametrize("attack", WITH_THE_JUDGE)
def test_a_patch_of_product_and_judge_is_refused(repository, attack):
    done = judged(repository, WITH_THE_JUDGE[attack])
    assert (done.returncode, done.stdout) == (2, "")
    assert "split the change" in done.stderr.lower()
    for name in WITH_THE_JUDGE[attack]:
        assert name in done.stderr


def test_what_the_auditor_keeps_changes_no_byte_of_a_scorecard(repository):
    repository.git("switch", "-q", "-c", "patch")
    repository.write("src/kv.py", BROKEN)
    repository.commit("patch")
    repository.git("switch", "-q", "main")
    honest = repository.run(*MAIN_TO_PATCH, "--format", "json")
    repository.write(
        "suggestions/p-1.json", '{"kind": "policy", "status": "accepted", "entries": [{"case": "A", "step": 1}]}'
    )
    repository.write("auditor.toml", "[gate]\nexit_code = 0\n")
    poisoned = repository.run(*MAIN_TO_PATCH, "--format", "json")
    assert honest.returncode == poisoned.returncode == 1
    assert honest.stdout == poisoned.stdout

"""Attacks on a vote, each run for real. The property is violated in all of them: none may come out as `pass`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gate.errors import PropertyError
from gate.voting.lay import laid_digest, require_unchanged

pytestmark = pytest.mark.slow

BROKEN = "def answer():\n    return 41\n"

MAKEREPORT = """
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    report.outcome = "passed"

def pytest_collection_modifyitems(items):
    items.clear()
"""

PROPERTY = """
def test_p(subject):
    assert subject.run().text == "42\\n"
"""


@pytest.mark.parametrize("imports", [[], ["."]], ids=["subject alone", "in process"])
def test_a_conftest_is_not_loaded(polls, imports):
    """Reported fault 81."""
    polls.settings["imports"] = imports
    polls.properties(test_p=PROPERTY)
    polls.build(app="print(41)")
    for place in (polls.build, polls.fixtures, polls.properties):
        place(conftest=MAKEREPORT)
    ballot = polls.the()
    assert (ballot.kind, ballot.failures[0].test) == ("fail", "test_p")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pytest.ini", "[pytest]\naddopts = --deselect test_p.py::test_p -p evil\n"),
        ("tox.ini", "[pytest]\naddopts = -k nothing\n"),
        ("setup.cfg", "[tool:pytest]\naddopts = -k nothing\n"),
        ("pyproject.toml", '[tool.pytest.ini_options]\naddopts = "-k nothing"\npython_functions = "nothing"\n'),
    ],
)
def test_the_configuration_of_pytest_is_ours(polls, file, text):
    """Reported fault 86."""
    polls.properties(test_p=PROPERTY)
    polls.build(app="print(41)")
    for place in (polls.build, polls.fixtures, polls.properties):
        place(**{file: text})
    assert polls.the().kind == "fail"


def test_the_environment_brings_no_options_and_no_plugins(polls, monkeypatch):
    """Reported fault 87."""
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
    monkeypatch.setenv("PYTEST_PLUGINS", "evil")
    monkeypatch.setenv("PYTHONPATH", str(polls.slot.build))
    polls.build(app="print(41)", evil=MAKEREPORT, sitecustomize=MAKEREPORT)
    polls.properties(test_p=PROPERTY)
    ballot = polls.the()
    assert ballot.kind == "fail"
    assert not {"evil", "randomly", "xdist", "benchmark"} & set(ballot.facts.plugins)


SITE = "import atexit, os\natexit.register(lambda: os._exit(0))\n"


@pytest.mark.parametrize("imports", [[], ["."]], ids=["subject alone", "in process"])
def test_code_that_python_runs_at_its_start_is_not_found(polls, imports):
    """Reported fault 83."""
    polls.settings["imports"] = imports
    polls.properties(test_p=PROPERTY)
    for place in (polls.build, polls.fixtures):
        place(sitecustomize=SITE, usercustomize=SITE, **{"evil.pth": "import os; os._exit(0)\n"})
    polls.build(app="print(41)")
    assert polls.the().kind == "fail"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest", "def main(*a, **k): return 1"),
        ("hypothesis/__init__.py", "given = None"),
        ("_pytest/__init__.py", ""),
        ("json", "def dumps(*a, **k): return ''"),
        ("pluggy", ""),
        ("gate_voter", ""),
    ],
)
def test_a_build_that_holds_a_module_of_the_judge(polls, name, text):
    """Unseen through `subject`; where properties import from the build, no vote."""
    polls.properties(test_p="def test_p(subject):\n    assert subject.run(stdin=b'x').status == 42\n")
    polls.build(app="import sys\nsys.exit(41)", **{name: text})
    assert polls.the().kind == "fail"
    polls.settings["imports"] = ["."]
    ballot = polls.the()
    assert ballot.kind == "void"
    assert f"holds a module {name.partition('/')[0]!r}" in ballot.reason


def test_a_binary_of_the_build_or_the_fixtures_is_no_judge(polls):
    """Reported fault 92."""
    for place in (polls.build, polls.fixtures):
        place(**dict.fromkeys(("bin/python.sh", "python.sh", "sh.sh", "env.sh"), "#!/bin/sh\nexit 0\n"))
    for folder in (polls.slot.build, polls.slot.template, polls.slot.build / "bin"):
        for file in folder.glob("*.sh"):
            file.chmod(0o755)
            file.rename(file.with_suffix(""))
    polls.program["path"] = ["bin", "."]
    polls.build(app="print(41)")
    polls.properties(test_p=PROPERTY)
    assert polls.the().kind == "fail"


IMPORT_TIME = {
    "sys.exit": "import sys; sys.exit(0)",
    "os._exit": "import os; os._exit(0)",
    "pytest.exit": "import pytest; pytest.exit('done', 0)",
    "pytest.skip": "import pytest; pytest.skip('later', allow_module_level=True)",
    "interrupt": "raise KeyboardInterrupt",
    "kill": "import os; os.kill(os.getpid(), 9)",
    "fork": "import os\nif os.fork():\n    os._exit(0)\n" + BROKEN,
    "late thread": "import os, threading, time\nthreading.Thread(target=lambda: (time.sleep(0.2), os._exit(0)), daemon=True).start()\n"
    "def answer():\n    import time; time.sleep(3)\n",
    "close all": "import os; os.closerange(3, 5000)\n" + BROKEN,
    "stop tests": "import gc, _pytest.main\n"
    "for o in gc.get_objects():\n    if isinstance(o, _pytest.main.Session):\n        o.shouldstop = 'x'; o.items = []\n"
    + BROKEN,
}


@pytest.mark.parametrize("code", IMPORT_TIME.values(), ids=IMPORT_TIME)
def test_code_that_ends_the_run_while_it_is_imported(run_in_process, code):
    """Reported fault 82."""
    assert run_in_process(code).outcome == "void"


CALL_TIME = {
    "os._exit": ("void", "import os; os._exit(0)"),
    "sys.exit": ("fail", "import sys; sys.exit(0)"),
    "pytest.exit": ("void", "import pytest; pytest.exit('done', 0)"),
    "pytest.skip": ("void", "import pytest; pytest.skip('later')"),
    "pytest.xfail": ("void", "import pytest; pytest.xfail('known')"),
    "unittest skip": ("void", "import unittest; raise unittest.SkipTest('x')"),
    "exec": ("void", "import os; os.execv('/bin/true', ['true'])"),
    "fork, parent exits": ("void", "import os\n    if os.fork(): os._exit(0)\n    return 42"),
    "fork, child goes on": ("void", "import os\n    if not os.fork(): return 42\n    os.wait()\n    return 41"),
    "atexit": ("fail", "import atexit, os; atexit.register(lambda: os._exit(0)); return 41"),
    "close all": ("void", "import os; os.closerange(0, 5000); return 41"),
    "garbage to all": (
        "void",
        "import os, contextlib\n"
        "    for fd in range(3, 400):\n"
        "        with contextlib.suppress(OSError):\n"
        '            os.write(fd, b\'{"event": "finish", "exit": 1, "nonce": "", "pid": 1}\\n\')\n'
        "    return 41",
    ),
    "flood": ("void", "import sys\n    while True: sys.stdout.write('x' * 65536)"),
    "flood of descriptors": ("void", "import os\n    while True: os.write(2, b'x' * 65536)"),
    "recursion": ("fail", "return answer()"),
}


@pytest.mark.parametrize(("kind", "body"), CALL_TIME.values(), ids=CALL_TIME)
def test_code_that_ends_or_spoils_the_run_when_it_is_called(run_in_process, kind, body):
    """Reported faults 82, 83, 85, 112."""
    assert run_in_process(f"def answer():\n    {body}\n").outcome == kind


def test_a_hang_is_no_vote(in_process, polls):
    """Reported fault 93."""
    polls.settings["timeout"] = 2
    ballot = in_process("def answer():\n    import time\n    while True: time.sleep(1)\n")
    assert (ballot.kind, ballot.reason) == ("void", "2 of 2 runs gave no vote: the run took longer than its time limit")


PATCHED = {
    "makereport": """
        import _pytest.reports
        real = _pytest.reports.TestReport.from_item_and_call
        def from_item_and_call(item, call):
            report = real(item, call)
            report.outcome, report.longrepr = "passed", None
            return report
        _pytest.reports.TestReport.from_item_and_call = from_item_and_call
    """,
    "call info": """
        import _pytest.runner
        real = _pytest.runner.CallInfo.from_call
        def from_call(func, *a, **k):
            info = real(func, *a, **k)
            info.excinfo = None
            return info
        _pytest.runner.CallInfo.from_call = from_call
    """,
    "function": """
        import pytest
        pytest.Function.runtest = lambda self: None
    """,
    "unittest": """
        import unittest
        unittest.TestCase.assertEqual = lambda *a, **k: None
    """,
    "a plugin": """
        import gc, pytest
        class Evil:
            @pytest.hookimpl(wrapper=True, tryfirst=True)
            def pytest_runtest_makereport(self, item, call):
                call.excinfo = None
                report = yield
                report.outcome = "passed"
                return report
        for o in gc.get_objects():
            if isinstance(o, pytest.PytestPluginManager):
                o.register(Evil(), "evil")
    """,
    "hypothesis": """
        import hypothesis.core
        hypothesis.core.StateForActualGivenExecution.run_engine = lambda self: None
    """,
    "writing": """
        import gate_voter.channel as channel
        real = channel.write
        channel.write = lambda fd, data: real(fd, data.replace(b'"failed"', b'"passed"')) and len(data)
    """,
    "reading the cause": """
        import gate_voter.plugin as plugin
        plugin._outcome = lambda report: "passed"
    """,
}


@pytest.mark.parametrize("code", PATCHED.values(), ids=PATCHED)
@pytest.mark.parametrize("when", ["import", "call"])
def test_a_patched_runner_does_not_pass(run_in_process, code, when):
    """Reported faults 81, 84: canaries must fail in the same way as the tests."""
    import textwrap

    text = textwrap.dedent(code)
    if when == "call":
        text = "def patch():\n" + textwrap.indent(text, "    ")
    else:
        text += "\ndef patch():\n    pass\n"
    run = run_in_process(f"{text}\ndef answer():\n    patch()\n    return 41\n")
    assert run.outcome in ("void", "fail"), run
    if when == "import":
        assert run.outcome == "void", run


def test_a_module_from_elsewhere_is_no_build(polls):
    """Reported fault 24: what is installed beside the gate is not the code under test."""
    polls.properties(test_p="import typer\n\ndef test_p():\n    pass\n")
    polls.settings["imports"] = ["."]
    ballot = polls.the()
    assert ballot.kind == "void"
    assert "test_p.py:1: 'typer' would come from /" in ballot.reason
    polls.settings["libraries"] = ["typer"]
    assert polls.the().kind == "pass"


def test_the_build_does_not_fall_back_to_what_is_installed(in_process, polls):
    """Reported fault 24."""
    ballot = in_process("import typer\n\ndef answer():\n    return 42\n")
    assert ballot.kind == "void"
    assert "No module named 'typer' in the build" in ballot.reason
    polls.settings["libraries"] = ["typer"]
    assert in_process("import typer\n\ndef answer():\n    return 42\n").kind == "pass"


def test_an_optional_module_counts_as_not_installed(in_process):
    code = """
import importlib
try:
    import typer
    N = 41
except ImportError:
    N = 42
try:
    importlib.import_module("rich")
    N = 41
except ImportError:
    pass

def answer():
    return N
"""
    assert in_process(code).kind == "pass"


def test_a_module_that_the_runner_uses_is_not_the_builds(polls):
    polls.properties(test_p="import packaging\n\ndef test_p():\n    pass\n")
    ballot = polls.the()
    assert ballot.kind == "void"
    assert "test_p.py:1: imports 'packaging', which is the runner's own copy" in ballot.reason


LIMITS = "from {module} import LIMIT\n\n\ndef test_p():\n    assert LIMIT == 4\n"


@pytest.mark.parametrize("ours", ["limits.py", "limits/__init__.py", "limits/own.py"])
@pytest.mark.parametrize("theirs", ["limits.py", "limits/__init__.py", "limits/own.py"])
def test_a_module_of_the_properties_and_of_the_build_is_no_vote(polls, ours, theirs):
    """A patch that adds a package puts it before a folder of helpers without `__init__.py`."""
    polls.settings["imports"] = ["."]
    module = "limits.own" if "own" in ours else "limits"
    polls.properties(test_p=LIMITS.format(module=module), **{ours: "LIMIT = 3"})
    assert polls.the().kind == "fail"
    polls.build(**{theirs: "LIMIT = 4", "limits/own.py": "LIMIT = 4"})
    ballot = polls.the()
    assert ballot.kind == "void"
    assert "the properties folder holds a module 'limits', and so does " in ballot.reason


def test_a_helper_of_the_properties_is_not_what_the_build_imports(in_process, polls):
    polls.properties(common="answer = lambda: 42")
    polls.build(common="answer = lambda: 41")
    assert in_process("from common import answer\n").kind == "void"


def test_a_name_that_both_hold_and_nobody_imports_is_no_matter(in_process, polls):
    polls.properties(**{"data/a.json": "1"})
    polls.build(**{"data/__init__.py": ""})
    assert in_process("def answer():\n    return 42\n").kind == "pass"


def test_compiled_files_are_not_run_in_place_of_the_pinned_ones(polls):
    import py_compile

    polls.properties(common="LIMIT = 4", test_p="import common\n\ndef test_p():\n    assert common.LIMIT == 4\n")
    source = polls.root / "properties" / "common.py"
    py_compile.compile(str(source), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    source.write_text("LIMIT = 3")
    assert polls.the().kind == "fail"


def rewritten(file):
    file.write_text("")


def put_back(file):
    """What stands there in the end is what stood there before, its times too."""
    text, held = file.read_text(), file.stat()
    file.write_text("changed")
    file.write_text(text)
    os.utime(file, ns=(held.st_atime_ns, held.st_mtime_ns))


def swapped(file):
    aside = file.with_name("aside")
    file.rename(aside)
    file.write_text("")
    file.unlink()
    aside.rename(file)


def added(file):
    file.with_name("json.py").write_text("")
    file.with_name("json.py").unlink()


@pytest.mark.parametrize("change", [rewritten, put_back, swapped, added])
@pytest.mark.parametrize("name", ["voter/gate_voter/canary.py", "properties/test_p.py", "template/in.txt"])
def test_judge_files_written_by_the_code_under_test_are_noticed(polls, change, name):
    polls.properties(test_p="def test_p(): pass")
    polls.fixtures(**{"in.txt": "x"})
    polls.electorate()
    before = laid_digest(polls.slot.root)
    require_unchanged(polls.slot.root, before)
    change(polls.slot.root / name)
    with pytest.raises(PropertyError, match="were changed while they ran"):
        require_unchanged(polls.slot.root, before)


STORED = """
import gzip, json, os, unicodedata
from pathlib import Path

for above in Path(os.getcwd()).parents[:2]:
    folder = above / "hypothesis" / "unicode_data" / unicodedata.unidata_version
    for place in (folder, above / ".hypothesis" / "unicode_data" / unicodedata.unidata_version):
        try:
            place.mkdir(parents=True, exist_ok=True)
            (place / "codec-v2-utf-8.json.gz").write_bytes(gzip.compress(json.dumps([[[0, 127]], []]).encode()))
            names = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn".split()
            held = sorted({**dict.fromkeys(names, []), "Ll": [[97, 122]]}.items())
            (place / "charmap.json.gz").write_bytes(gzip.compress(json.dumps(held).encode()))
        except OSError:
            pass
import sys
sys.stdout.buffer.write(sys.argv[-1].encode("ascii", "ignore"))
"""


def test_the_program_does_not_choose_what_hypothesis_draws(polls):
    """What Hypothesis keeps between runs lay where the program could write: with its tables letters were ASCII alone."""
    polls.build(app=STORED)
    polls.properties(
        test_p="""
            from hypothesis import given, settings, strategies as st

            def test_a(subject):
                assert subject.run("x").status == 0

            @settings(max_examples=30)
            @given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
            def test_b(subject, word):
                assert subject.run(word).stdout == word.encode()
        """
    )
    ballot = polls.the()
    assert (ballot.kind, [failure.test for failure in ballot.failures]) == ("fail", ["test_b"])


def test_python_without_asserts_is_no_vote(polls):
    polls.settings["python"] = ["{python}", "-O"]
    polls.properties(
        common="def check(n):\n    assert n == 42", test_p="import common\n\ndef test_p():\n    common.check(41)"
    )
    ballot = polls.the()
    assert ballot.kind == "void"
    assert ballot.reason.endswith(
        "voting.python: Python runs with -O, which takes every assert out: take the option out"
    )


def test_in_process_an_object_that_equals_everything_passes_a_documented_limit(in_process):
    """Reported fault 84. What code in the judge's own process can do cannot be stopped there: docs/properties.md says so."""
    code = "class Always:\n    __hash__ = None\n    def __eq__(self, other):\n        return True\n\ndef answer():\n    return Always()\n"
    assert in_process(code).kind == "pass"
    page = Path(__file__).parents[2] / "docs" / "properties.md"
    assert "equals everything" in page.read_text()

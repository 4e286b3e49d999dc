"""What compilers, test runners and databases say of their own failures: words, a claim, and where they are documented.

The words are those of manuals and of the tools' own sources; none is there because of a single log.
"""

from __future__ import annotations

from auditor.drafting.offline_shapes import HINT, KIND, NAMED, shape

_WAITS = "Luo, Hariri, Eloussi, Marinov: An empirical analysis of flaky tests, FSE 2014: waiting for what runs at once"
_ORDER = "the same paper: a test depends on what another one left"

TOOLS = (
    shape(
        "logic",
        NAMED,
        r"COMPILATION ERROR|[Cc]ompilation (?:failure|failed)|cannot find symbol|incompatible types"
        r"|unreported exception|package [\w.]{1,80} does not exist|method does not override"
        r"|cannot be applied to given types|is not abstract and does not override",
        "The code does not compile: a name, a type or a signature is not what it is used as.",
        source="javac, Maven Compiler Plugin",
    ),
    shape(
        "logic",
        NAMED,
        r"\berror(?: TS\d{3,5}|\[E\d{4}\]|: could not compile|: aborting due to)"
        r"|[\w/.-]{1,80}\.(?:c|cc|cpp|h|hpp|rs|go|swift|cs|kt)(?::\d+|\(\d+)[:,]?\S{0,12}:? (?:fatal )?error\b"
        r"|^\S{1,80}\.go:\d+:\d+: |\bundefined reference to\b|\[build failed\]|Build FAILED|error CS\d{4}"
        r"|\berror: expected\b|Unresolved reference",
        "The code does not compile: a name, a type or a signature is not what it is used as.",
        source="tsc, rustc, GCC, Clang, ld(1), go vet, Roslyn, kotlinc",
    ),
    shape(
        "logic",
        NAMED,
        r"-Werror(?:=[\w-]+\]| specified)|[Ww]arnings (?:being )?treated as errors|treating warnings as errors"
        r"|warnings found and",
        "A warning of the compiler counts as an error here: the code calls what it should not.",
        source="GCC, javac -Werror, Kotlin allWarningsAsErrors",
    ),
    shape(
        "logic",
        NAMED,
        r"^\S{1,120}\.pyi?:\d+(?::\d+)?: (?:error:|[A-Z]{1,4}\d{3,4}\b)|^Found \d+ errors?\b"
        r"|\u2716 \d+ problems?|would reformat|would be reformatted|Code style issues"
        r"|You have \d+ Checkstyle violations|\bESLint found|\d+ problems? \(\d+ error|^\s+\d+:\d+\s+error\s"
        r"|clippy::",
        "A checker of types or of style objects to a line of the code.",
        source="mypy, flake8, ruff, Black, ESLint, Prettier, Checkstyle, Clippy",
    ),
    shape(
        "logic",
        NAMED,
        r"files were modified by this hook|^- hook id: |Imports are incorrectly sorted|\boffen[cs]es? detected"
        r"|\bSC\d{4} \(|\bMD\d{3}/|\bDL\d{4}\b|fixable with the `?--fix|potentially fixable with|^Diff in \S"
        r"|[Ll]int(?:ing|er)? (?:errors?|failed|failures?)|Your code has been rated|^would reformat"
        r"|\[\w*lint\w*\]|Formatting (?:issues|check failed)|not properly formatted|is not formatted",
        "A checker of types or of style objects to a line of the code.",
        source="pre-commit, isort, RuboCop, ShellCheck, markdownlint, hadolint, ruff, ESLint, rustfmt, pylint",
    ),
    shape(
        "logic",
        KIND,
        r"Failed to execute goal [\w.-]+:[\w-]+:[\w.-]+:(?:test|integration-test|verify|compile)",
        "The build's step that compiles or tests the code fails, and the code is what changed.",
        source="Maven: a goal's own name",
    ),
    shape(
        "logic",
        KIND,
        r"^\s*FAIL:? \S|^\s*[\u25cf\u2715\u2717\u00d7] \S|^not ok \d+|^\[ +FAILED +\]|\*\*\*Failed\b"
        r"|tests? FAILED|\.\.\. FAILED$|Failed asserting that|Failure/Error:|\d+ examples?, [1-9]\d* failures?"
        r"|\b[1-9]\d* (?:tests? )?fail(?:ed|ures?)\b|[Aa]ssertion failed|expect\(.{0,60}\)\."
        r"|[Tt]ests? failed\b|FAILURES!",
        "A test finds another result than it asks for, and what computes the result has changed.",
        source="Jest, unittest, TAP, googletest, CTest, cargo test, PHPUnit, RSpec, pytest, assert(3)",
    ),
    shape(
        "logic",
        KIND,
        r"^--- FAIL: |^FAILED \S{1,200}::|[Tt]here (?:are|were) test failures|^={3,} .{0,60}\d+ failed\b"
        r"|^test result: FAILED|Tests run: \d+, Failures: [1-9]|Tests run: \d+, Failures: \d+, Errors: [1-9]"
        r"|^Tests: +.{0,40}\d+ failed|^FAILED \((?:failures|errors)=|^\s*\d+ failing$|AssertionFailedError"
        r"|[Ff]ailures: [1-9]",
        "A test finds another result than it asks for, and what computes the result has changed.",
        source="go test, pytest, Maven Surefire, cargo test, Jest, unittest, Mocha",
    ),
    shape(
        "logic",
        KIND,
        r"expected:? ?<.{0,120}> but was:? ?<|^\s*Expected:? .{1,200}|^\s*Received:? .{1,200}"
        r"|assertion `?left == right|\bERR_ASSERTION\b|\bNullPointerException\b|ClassCastException"
        r"|NoSuchMethod(?:Error|Exception)|NoClassDefFoundError|ArithmeticException|is not a function\b"
        r"|Cannot read propert|panicked at|nil pointer dereference|Segmentation fault",
        "A value is not what the check or the next call needs, and the code that computes it has changed.",
        source="JUnit, Jest, Rust, Node, the Java platform, Go, signal(7)",
    ),
    shape(
        "logic",
        HINT,
        r"^(?:E +)?(?:\w+\.)*(?:AssertionError: )?(?:assert )?.{1,160} (?:==|!=) .{1,160}$",
        "The candidate computes another value than the check asks for.",
        source="pytest and unittest: two values and what should hold of them",
    ),
    shape(
        "oracle",
        NAMED,
        r"\bsnapshots? (?:failed|obsolete|does not match|mismatch)|toMatch(?:Inline)?Snapshot"
        r"|[Ss]napshot .{0,80}(?:mismatch|mismatched|does not match|differ)"
        r"|[Gg]olden (?:file|image|master)s?\b.{0,60}(?:differ|mismatch|match)|[Ss]creenshot comparison failed"
        r"|\binsta\b.{0,40}snapshot|-u` to update",
        "The stored snapshot is out of date, and the new output is what is wanted.",
        source="Jest, insta, Playwright, syrupy",
    ),
    shape(
        "state",
        NAMED,
        r"UNIQUE constraint failed|[Dd]uplicate (?:key|entry)|already (?:exists|registered|initiali[sz]ed)\b"
        r"|\bEEXIST\b|left over from|[Ll]eaked (?:state|from)|not (?:cleaned up|torn down|reset)"
        r"|[Tt]est pollution|polluted"
        r"|(?:pass|succeed)\w{0,3} (?:when run )?(?:alone|in isolation|on its own|individually)"
        r"|[Ww]hen run (?:alone|in isolation|individually|after)|[Ff]ails? (?:only )?(?:when run )?after"
        r"|test (?:execution )?order|random(?:ly)?[- ]order|pytest-randomly|-p no:randomly",
        "Something that an earlier test or run left behind decides the outcome.",
        source=f"SQLite, PostgreSQL, MySQL, errno(3), pytest-randomly; {_ORDER}",
    ),
    shape(
        "concurrency",
        NAMED,
        r"\bDATA RACE\b|\b[Dd]ata race\b|[Rr]ace condition|race detected|ConcurrentModificationException"
        r"|[Dd]eadlock|[Ll]ock wait timeout|could not serialize access|changed size during iteration"
        r"|[Ee]vent loop is closed|was never awaited|attached to a different loop|OptimisticLock"
        r"|StaleObjectState|concurrent map|ThreadSanitizer|cannot schedule new futures|lost update",
        "Two threads, tasks or processes meet at one thing, and who comes first decides.",
        source="Go race detector, ThreadSanitizer, java.util, MySQL, PostgreSQL, CPython asyncio, Hibernate",
    ),
    shape(
        "concurrency",
        KIND,
        r"[Tt]imed out (?:while )?waiting|[Tt]imeout (?:while )?waiting"
        r"|waiting for .{1,80}(?:timed out|failed)|[Tt]imeout .{0,30}exceeded|[Cc]ondition not met within"
        r"|Condition with .{0,120} was not fulfilled"
        r"|did not (?:finish|complete|become \w+|appear) (?:within|in time)|[Ee]xceeded timeout of \d+",
        "The check waits for something that runs at once, and does not wait long enough or for the right thing.",
        source=_WAITS,
    ),
)
"""A line may have several; their order counts for nothing."""

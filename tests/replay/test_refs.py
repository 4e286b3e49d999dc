"""Commits by name, and their trees as plain folders."""

import os
import subprocess
from pathlib import Path

import pytest

from gate.errors import BuildError
from gate.replay import git as git_room
from gate.replay.git_attributes import attributes
from gate.replay.git_tree import list_tree, write_tree
from gate.replay.refs import commit_of, has_uncommitted, is_shallow, merge_bases, repository_root, require_ancestor


@pytest.fixture(autouse=True)
def no_git_of_mine(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.name", "n")
    git(folder, "config", "user.email", "e@example.invalid")
    for text in ("old", "new"):
        (folder / "kv.py").write_text(text)
        commit(folder, text)
    return folder


def git(folder, *words, given=None):
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, input=given)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(folder, message):
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def written(repository, tmp_path, ref="HEAD"):
    return write_tree(repository, ref, under=tmp_path / "trees").folder


# --- writing trees out ------------------------------------------------------------------------------------------------


def test_a_tree_is_written_out_without_history(repository, tmp_path):
    tree = write_tree(repository, "HEAD~1", under=tmp_path / "trees")
    assert [(path.name, path.read_text()) for path in tree.folder.iterdir()] == [("kv.py", "old")]
    assert tree.commit == git(repository, "rev-parse", "HEAD~1")


def test_an_empty_tree_is_an_empty_folder(repository, tmp_path):
    git(repository, "rm", "-q", "kv.py")
    git(repository, "commit", "-q", "-m", "nothing left")
    assert list(written(repository, tmp_path).iterdir()) == []


def test_uncommitted_work_and_the_index_stay_as_they_are(repository, tmp_path):
    (repository / "kv.py").write_text("uncommitted")
    (repository / "staged").write_text("s")
    git(repository, "add", "staged")
    before = git(repository, "status", "--porcelain")
    written(repository, tmp_path)
    assert git(repository, "status", "--porcelain") == before
    assert git(repository, "worktree", "list").count("\n") == 0


def test_modes_links_and_any_name_are_kept(repository, tmp_path):
    (repository / "run").write_text("#!/bin/sh\n")
    (repository / "run").chmod(0o755)
    (repository / "link").symlink_to("no/where")
    odd = os.fsdecode(b'a "\xff\n*/b')
    (repository / odd).parent.mkdir()
    (repository / odd).write_bytes(b"\0\r\n")
    commit(repository, "odd")
    folder = written(repository, tmp_path)
    assert os.access(folder / "run", os.X_OK)
    assert not os.access(folder / "kv.py", os.X_OK)
    assert (folder / "link").readlink() == Path("no/where")
    assert (folder / odd).read_bytes() == b"\0\r\n"


def test_more_files_than_one_batch_each_get_their_own_content(repository, tmp_path):
    for number in range(1101):
        (repository / f"f{number}").write_text(f"{number}\n" * (number % 5))
    commit(repository, "many")
    folder = written(repository, tmp_path)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        path.name: path.read_bytes() for path in repository.iterdir() if path.is_file()
    }


def test_files_are_written_as_git_stores_them_and_no_filter_is_run(repository, tmp_path):
    """Neither the patch's rules nor the person's configuration decide about bytes."""
    ran = tmp_path / "ran"
    stored = b"one\ntwo $Id$\n"
    for name in ("eol.txt", "ident.txt", "smudged.txt", "utf16.txt", "ignored.txt"):
        (repository / name).write_bytes(stored)
    commit(repository, "plain")
    (repository / ".gitattributes").write_text(
        "eol.txt text eol=crlf\nident.txt ident\nsmudged.txt filter=mine\nutf16.txt text working-tree-encoding=UTF-16\n"
        "ignored.txt export-ignore\n"
    )
    git(repository, "config", "core.autocrlf", "true")
    git(repository, "config", "filter.mine.smudge", f"touch {ran}; echo smudged")
    git(repository, "add", ".gitattributes")
    git(repository, "commit", "-q", "-m", "rules")
    ran.unlink(missing_ok=True)
    folder = written(repository, tmp_path)
    names = {path.name for path in folder.iterdir()}
    assert names == {".gitattributes", "eol.txt", "ident.txt", "ignored.txt", "kv.py", "smudged.txt", "utf16.txt"}
    assert {(folder / name).read_bytes() for name in names - {".gitattributes", "kv.py"}} == {stored}
    assert not ran.exists()


def test_a_tree_with_a_submodule_is_refused(repository, tmp_path):
    """Its files are not in the tree: both sides would miss them alike, and agree."""
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{git(repository, 'rev-parse', 'HEAD')},vendor/lib")
    git(repository, "commit", "-q", "-m", "with a submodule")
    with pytest.raises(BuildError, match=r"has a submodule at vendor/lib"):
        written(repository, tmp_path)


@pytest.mark.parametrize("name", ["..", ".git", ".GIT", "."])
def test_a_tree_whose_names_leave_the_folder_is_refused(repository, tmp_path, name):
    blob = git(repository, "rev-parse", "HEAD:kv.py")
    inner = raw_tree(repository, (b"100644", b"x", blob))
    tree = raw_tree(repository, (b"40000", name.encode(), inner))
    made = git(repository, "commit-tree", tree, "-m", "odd", "-p", "HEAD")
    with pytest.raises(BuildError, match="expected names inside the folder, found"):
        written(repository, tmp_path, made)
    assert not (tmp_path / "trees").exists()


def test_a_tree_with_a_link_and_a_folder_of_one_name_is_refused(repository, tmp_path):
    """Its files would be written through the link, outside of the folder."""
    link = git(repository, "hash-object", "-w", "--stdin", given=str(tmp_path / "outside"))
    inner = raw_tree(repository, (b"100644", b"x", git(repository, "rev-parse", "HEAD:kv.py")))
    tree = raw_tree(repository, (b"120000", b"a", link), (b"40000", b"a", inner))
    made = git(repository, "commit-tree", tree, "-m", "odd", "-p", "HEAD")
    with pytest.raises(BuildError, match="expected names inside the folder, found 'a/x'"):
        written(repository, tmp_path, made)
    twice = raw_tree(repository, (b"100644", b"a", link), (b"100644", b"a", link))
    with pytest.raises(BuildError, match="expected each name once in its tree, found one twice"):
        list_tree(repository, git(repository, "commit-tree", twice, "-m", "twice"))


def raw_tree(repository, *entries):
    """A tree object that git's own commands would refuse to make."""
    data = b"".join(mode + b" " + name + b"\0" + bytes.fromhex(blob) for mode, name, blob in entries)
    command = ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"]
    return subprocess.run(command, cwd=repository, input=data, capture_output=True, check=True).stdout.decode().strip()


def test_a_missing_object_is_told_and_nothing_is_fetched(repository, tmp_path):
    git(repository, "config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", repository.as_uri(), str(partial))
    with pytest.raises(BuildError) as refused:
        written(partial, tmp_path)
    assert "clone without --filter" in refused.value.next_step
    assert git(partial, "rev-list", "--objects", "--all", "--missing=print").count("?") == 2


# --- names of commits -------------------------------------------------------------------------------------------------


def test_a_ref_that_is_not_there_never_becomes_head(repository):
    """Reported fault 152."""
    with pytest.raises(BuildError, match="origin/main: no such commit"):
        commit_of(repository, "origin/main")


def test_branches_tags_annotated_tags_ids_and_a_detached_head_name_their_commit(repository):
    head = git(repository, "rev-parse", "HEAD")
    git(repository, "tag", "light")
    git(repository, "tag", "-a", "heavy", "-m", "words")
    git(repository, "switch", "-q", "--detach")
    for name in ("main", "refs/heads/main", "light", "heavy", "HEAD", "@", head, head[:12], "main^{}", "HEAD~0"):
        assert commit_of(repository, name) == head
    for name in ("main^", "HEAD^1", "heavy~1"):
        assert commit_of(repository, name) == git(repository, "rev-parse", "HEAD~1")


@pytest.mark.parametrize(
    ("ref", "complaint"),
    [
        ("--help", "expected the name of one commit, got an option: '--help'"),
        ("--upload-pack=touch x", "expected the name of one commit, got an option: '--upload-pack=touch x'"),
        ("-x", "expected the name of one commit, got an option: '-x'"),
        ("main..HEAD", "expected the name of one commit, got a range: 'main..HEAD'"),
        ("main...HEAD", "expected the name of one commit, got a range: 'main...HEAD'"),
        ("^main", "expected the name of one commit, got a range: '^main'"),
        ("main^@", "expected the name of one commit, got a range: 'main^@'"),
        ("main^!", "expected the name of one commit, got a range: 'main^!'"),
        (":/new", "expected the name of one commit, got a search or a path: ':/new'"),
        ("HEAD^{/new}", "expected the name of one commit, got a search or a path: 'HEAD^{/new}'"),
        ("HEAD:kv.py", "expected the name of one commit, got a search or a path: 'HEAD:kv.py'"),
        ("main\n", "expected the name of one commit, got blanks or control characters: 'main\\n'"),
        (" ", "expected the name of one commit, got blanks or control characters: ' '"),
        ("", "expected the name of a commit, got an empty one"),
        (
            "0" * 40,
            "expected the name of a commit, got 40 zeros: CI systems give them where a branch had no commit before",
        ),
        (
            "0" * 64,
            "expected the name of a commit, got 64 zeros: CI systems give them where a branch had no commit before",
        ),
    ],
)
def test_what_is_not_the_name_of_one_commit_is_refused_in_its_own_words(repository, ref, complaint):
    """Reported fault 153, among them: an event that has no such field gives an empty base."""
    with pytest.raises(BuildError) as refused:
        commit_of(repository, ref)
    assert refused.value.what == complaint


def test_a_tag_does_not_take_the_place_of_a_branch(repository):
    """Git would take the tag, which anybody may push."""
    git(repository, "tag", "main", "HEAD~1")
    with pytest.raises(BuildError, match="main: expected one commit, but several names in"):
        commit_of(repository, "main")
    assert commit_of(repository, "refs/heads/main") == git(repository, "rev-parse", "HEAD")


def test_replace_refs_and_grafts_do_not_swap_a_commit(repository, tmp_path):
    old, new = git(repository, "rev-parse", "HEAD~1"), git(repository, "rev-parse", "HEAD")
    git(repository, "replace", new, old)
    assert git(repository, "show", "main:kv.py") == "old"
    assert (written(repository, tmp_path, "main") / "kv.py").read_text() == "new"
    git(repository, "replace", "-d", new)
    git(repository, "checkout", "-q", "--orphan", "other")
    alone = commit(repository, "alone")
    (repository / ".git" / "info" / "grafts").write_text(f"{alone} {new}\n")
    with pytest.raises(BuildError, match="share no history"):
        require_ancestor(repository, new, alone, named=("main", "other"))


# --- how commits stand to each other ----------------------------------------------------------------------------------


def test_a_commit_is_its_own_ancestor_and_its_children_s(repository):
    old, new = git(repository, "rev-parse", "HEAD~1"), git(repository, "rev-parse", "HEAD")
    require_ancestor(repository, old, new, named=("old", "new"))
    require_ancestor(repository, new, new, named=("new", "new"))


def test_a_base_that_moved_on_is_refused_with_the_commit_to_name(repository):
    start = git(repository, "rev-parse", "HEAD")
    git(repository, "switch", "-q", "-c", "patch")
    patch = commit(repository, "patch")
    git(repository, "switch", "-q", "main")
    base = commit(repository, "moved on")
    with pytest.raises(BuildError) as refused:
        require_ancestor(repository, base, patch, named=("main", "patch"))
    assert refused.value.diagnostics() == (
        "main is not an ancestor of patch: main has moved on since the patch was begun\n"
        f"Judge it from where it was begun, or merge main into it first: --base {start}"
    )


def test_commits_that_were_merged_crosswise_have_no_one_base(repository):
    git(repository, "switch", "-q", "-c", "patch")
    one = commit(repository, "one")
    git(repository, "switch", "-q", "main")
    two = commit(repository, "two")
    git(repository, "merge", "-q", "-m", "m", one)
    git(repository, "switch", "-q", "patch")
    git(repository, "merge", "-q", "-m", "m", two)
    base, head = git(repository, "rev-parse", "main"), git(repository, "rev-parse", "patch")
    assert set(merge_bases(repository, base, head)) == {one, two}
    with pytest.raises(BuildError, match="merged crosswise, and the patch starts from 2 commits"):
        require_ancestor(repository, base, head, named=("main", "patch"))


def test_commits_without_a_shared_history_are_refused(repository):
    base = git(repository, "rev-parse", "HEAD")
    git(repository, "checkout", "-q", "--orphan", "other")
    other = commit(repository, "other")
    with pytest.raises(BuildError, match="main is not an ancestor of other: the two share no history"):
        require_ancestor(repository, base, other, named=("main", "other"))


def test_a_shallow_clone_without_the_base_is_told_how_to_get_it(repository, tmp_path):
    """Reported fault 151."""
    base = git(repository, "rev-parse", "HEAD~1")
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth=1", repository.as_uri(), str(shallow))
    assert (is_shallow(repository), is_shallow(shallow)) == (False, True)
    with pytest.raises(BuildError) as refused:
        commit_of(shallow, base)
    assert refused.value.diagnostics() == (
        f"{base}: no such commit in {shallow}\n"
        "The clone is shallow: git fetch --unshallow, or git fetch --deepen=100; in GitHub Actions give checkout fetch-depth: 0."
    )


def test_in_a_shallow_clone_a_cut_history_is_not_taken_for_none(repository, tmp_path):
    """Reported fault 151: both commits are there, and what is between them is not."""
    base = git(repository, "rev-parse", "HEAD")
    git(repository, "branch", "base")
    for message in ("between", "patch"):
        commit(repository, message)
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", repository.as_uri(), str(shallow))
    head = git(shallow, "rev-parse", "HEAD")
    with pytest.raises(BuildError) as refused:
        require_ancestor(shallow, base, head, named=("base", "HEAD"))
    assert refused.value.what == "it cannot be known whether base is an ancestor of HEAD: the history is cut off"
    assert "fetch-depth: 0" in refused.value.next_step
    git(shallow, "fetch", "-q", "--unshallow")
    require_ancestor(shallow, base, head, named=("base", "HEAD"))


# --- the place and the program ----------------------------------------------------------------------------------------


def test_a_hooks_git_dir_does_not_choose_the_repository(repository, tmp_path, monkeypatch):
    """Reported fault 18."""
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert repository_root(repository) == repository
    assert written(repository, tmp_path, "main").is_dir()


def test_outside_of_a_repository_is_told(tmp_path):
    with pytest.raises(BuildError, match="git rev-parse") as refused:
        repository_root(tmp_path)
    assert (
        refused.value.next_step == "Run in a git repository, or compare two folders instead: --baseline, --candidate."
    )


def test_a_bare_repository_is_told(repository, tmp_path):
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare")
    with pytest.raises(BuildError, match="expected a work tree, found a bare repository"):
        repository_root(tmp_path / "bare")


def test_a_linked_work_tree_and_borrowed_objects_are_fine(repository, tmp_path):
    git(repository, "worktree", "add", "-q", str(tmp_path / "linked"), "HEAD~1")
    assert repository_root(tmp_path / "linked") == tmp_path / "linked"
    assert (written(tmp_path / "linked", tmp_path) / "kv.py").read_text() == "old"
    git(tmp_path, "clone", "-q", "--shared", str(repository), "borrower")
    assert (written(tmp_path / "borrower", tmp_path) / "kv.py").read_text() == "new"


def test_a_work_tree_that_is_somewhere_else_is_told(repository, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    git(repository, "config", "core.worktree", str(tmp_path / "elsewhere"))
    with pytest.raises(BuildError, match="expected a folder of its repository, whose work tree is"):
        repository_root(repository)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a folder away")
def test_a_repository_of_another_user_is_told_as_that(repository):
    for folder in (repository, repository / ".git"):
        os.chown(folder, 4242, 4242)
    for asked in (lambda: repository_root(repository), lambda: commit_of(repository, "main")):
        with pytest.raises(BuildError) as refused:
            asked()
        assert refused.value.diagnostics() == (
            f"{repository}: git refuses the repository: it belongs to another user\n"
            f"Run as its owner, or trust it: git config --global --add safe.directory {repository}"
        )


def test_programs_that_the_repository_s_configuration_names_are_not_run(repository, tmp_path):
    ran = tmp_path / "ran"
    for name, folder in (("spy", repository), ("post-index-change", tmp_path / "hooks")):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(f"#!/bin/sh\ntouch {ran}\n")
        (folder / name).chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(repository / "spy"))
    git(repository, "config", "core.hooksPath", str(tmp_path / "hooks"))
    assert has_uncommitted(repository, repository.relative_to(repository), beside=".gate")
    written(repository, tmp_path)
    attributes(repository, commit_of(repository, "HEAD"), [b"kv.py"])
    assert not ran.exists()
    git(repository, "status")
    assert ran.exists(), "the trap itself does not work"


def test_a_git_of_the_patch_is_not_called(repository, tmp_path, monkeypatch):
    """Reported fault 92: relative folders of PATH are passed by, and a git inside of the repository is refused."""
    (repository / "bin").mkdir()
    (repository / "bin" / "git").write_text("#!/bin/sh\necho 0123456789012345678901234567890123456789\n")
    (repository / "bin" / "git").chmod(0o755)
    real = git_room.git_program()
    git_room.git_program.cache_clear()
    monkeypatch.chdir(repository)
    monkeypatch.setenv("PATH", f"bin:.::{os.environ['PATH']}")
    assert git_room.git_program() == real
    git_room.git_program.cache_clear()
    (repository / "bin" / "git").write_text(f'#!/bin/sh\nexec {real} "$@"\n')
    monkeypatch.setenv("PATH", f"{repository}/bin:{os.environ['PATH']}")
    try:
        with pytest.raises(BuildError, match="expected git from outside of the repository that is judged"):
            repository_root(repository)
    finally:
        git_room.git_program.cache_clear()


def test_without_git_that_is_told(monkeypatch, tmp_path):
    git_room.git_program.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        with pytest.raises(BuildError, match="git is not installed"):
            repository_root(tmp_path)
    finally:
        git_room.git_program.cache_clear()


def test_attributes_are_those_of_the_commit_and_not_of_the_work_tree(repository):
    (repository / ".gitattributes").write_text("kv.py text eol=crlf\n")
    with_rules = commit(repository, "rules")
    (repository / ".gitattributes").write_text("* -text\n")
    without = commit_of(repository, "HEAD~1")
    asked = [b"kv.py", b"other"]
    assert attributes(repository, without, asked) == frozenset()
    assert attributes(repository, with_rules, asked) == {(b"kv.py", b"text", b"set"), (b"kv.py", b"eol", b"crlf")}
    assert git(repository, "status", "--porcelain") == "M .gitattributes"

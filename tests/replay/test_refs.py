"""Commits by name, and their trees as plain folders."""

import os
import subprocess
from pathlib import Path

import pytest

from gate.errors import BuildError, IntegrityError
from gate.replay import git as git_room
from gate.replay.git import failure
from gate.replay.git_attributes import attributes
from gate.replay.git_ignores import ignored
from gate.replay.git_state import require_own_state
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


def test_a_full_id_is_that_commit_whatever_branch_is_spelled_so(repository):
    """Git takes the id, and only warns; a branch of that name must not keep anybody from naming the commit."""
    old, new = git(repository, "rev-parse", "HEAD~1"), git(repository, "rev-parse", "HEAD")
    git(repository, "update-ref", f"refs/heads/{new}", old)
    assert commit_of(repository, new) == new
    git(repository, "update-ref", f"refs/heads/{new[:9]}", old)
    with pytest.raises(BuildError, match="expected one commit, but several names"):
        commit_of(repository, new[:9])
    git(repository, "update-ref", f"refs/heads/{'a' * 64}", old)
    assert commit_of(repository, "a" * 64) == old


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


def test_a_base_and_a_head_that_were_swapped_are_told_so(repository):
    old, new = git(repository, "rev-parse", "HEAD~1"), git(repository, "rev-parse", "HEAD")
    with pytest.raises(BuildError) as refused:
        require_ancestor(repository, new, old, named=("patch", "main"))
    assert refused.value.diagnostics() == (
        "patch is not an ancestor of main: it is the other way round, and main has no commit that patch lacks\n"
        "Swap them where they were confused: --base main --head patch. Otherwise the patch is merged already."
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


def plant_repository(folder, tmp_path):
    """A bare repository as plain files in `folder`, as a commit can bring it, with a work tree and a filter of its own."""
    ran = tmp_path / "ran"
    own = tmp_path / "own"
    own.mkdir()
    git(own, "init", "-q", "-b", "main")
    git(
        own,
        "-c",
        "user.name=n",
        "-c",
        "user.email=e@example.invalid",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "harmless",
    )
    folder.mkdir(parents=True)
    for name in ("HEAD", "objects", "refs"):
        (own / ".git" / name).rename(folder / name)
    (folder / "config").write_text(
        f'[core]\n repositoryformatversion = 0\n bare = false\n worktree = .\n[filter "x"]\n clean = "touch {ran}; cat"\n'
    )
    return ran


def test_a_repository_that_a_commit_brought_is_not_taken_for_the_real_one(repository, tmp_path):
    """Its history would be judged in the real one's place, and its configuration would name programs."""
    inside = repository / "tools" / "kv"
    ran = plant_repository(inside, tmp_path)
    assert git(inside, "rev-parse", "--show-toplevel") == str(inside), "the trap itself does not work"
    (inside / ".gitattributes").write_text("* filter=x\n")
    for asked in (
        lambda: repository_root(inside),
        lambda: commit_of(inside, "main"),
        lambda: has_uncommitted(inside, Path(), beside=".gate"),
    ):
        with pytest.raises(BuildError) as refused:
            asked()
        assert refused.value.what in (
            f"{inside}: expected a work tree, found a bare repository",
            f"main: no such commit in {inside}",
        )
    assert "Where a commit brought it" in failure(inside, "x", "fatal: cannot use bare repository 'x'").next_step
    assert not ran.exists()


@pytest.mark.parametrize("version", ["git version 2.37.7", "git version 1.99.0", "git 3", ""])
def test_a_git_that_would_take_such_a_repository_is_refused(repository, tmp_path, monkeypatch, version):
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(f"#!/bin/sh\necho '{version}'\n")
    fake.chmod(0o755)
    git_room.git_program.cache_clear()
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    try:
        with pytest.raises(BuildError) as refused:
            repository_root(repository)
    finally:
        git_room.git_program.cache_clear()
    assert refused.value.what == f"{fake}: expected git 2.38 or newer, got {version!r}"


@pytest.mark.parametrize("version", ["git version 2.38.0-rc0", "git version 2.39.5 (Apple Git-154)", "git version 3.0"])
def test_newer_gits_are_known_however_they_are_packaged(tmp_path, monkeypatch, version):
    fake = tmp_path / "git"
    fake.write_text(f"#!/bin/sh\necho '{version}'\n")
    fake.chmod(0o755)
    git_room.git_program.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        git_room.require_recent_git()
    finally:
        git_room.git_program.cache_clear()


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


@pytest.mark.parametrize("name", ["x", "a.b", "a = b", "ü", 'quo"te'])
@pytest.mark.parametrize("key", ["clean", "process"])
def test_asking_for_changes_runs_no_filter(repository, tmp_path, name, key):
    """`git status` reads a file whose time is new through the filter that the patch's `.gitattributes` names, outside of any sandbox."""
    ran = tmp_path / "ran"
    git(repository, "config", f"filter.{name}.{key}", f"touch {ran}; cat")
    git(repository, "config", f"filter.{name}.required", "true")
    attribute = "x"
    if name != "x":  # a name that `.gitattributes` cannot spell is only there to be emptied, too
        git(repository, "config", f"filter.x.{key}", f"touch {ran}; cat")
    (repository / ".gitattributes").write_text(f"kv.py filter={attribute}\n")
    ran.unlink(missing_ok=True)
    (repository / "kv.py").write_text("neu")
    assert has_uncommitted(repository, Path(), beside=".gate")
    assert not ran.exists()
    subprocess.run(["git", "status"], cwd=repository, capture_output=True)
    assert ran.exists(), "the trap itself does not work"


def test_a_clean_work_tree_has_no_changes_with_filters_or_without(repository):
    assert not has_uncommitted(repository, Path(), beside=".gate")
    git(repository, "config", "filter.x.clean", "cat")
    assert not has_uncommitted(repository, Path(), beside=".gate")
    (repository / "kv.py").write_text("neu")
    assert has_uncommitted(repository, Path(), beside=".gate")


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


def test_ignore_rules_are_those_of_the_commit_and_nobody_else_s(repository, tmp_path):
    (repository / "a").mkdir()
    (repository / "a" / ".gitignore").write_text("/x\n!kept\n")
    (repository / ".gitignore").write_text("*.log\nkept\nfolder/\n")
    made = commit(repository, "rules")
    (repository / ".git" / "info" / "exclude").write_text("other\n")
    (tmp_path / "mine").write_text("other\n")
    git(repository, "config", "core.excludesFile", str(tmp_path / "mine"))
    (repository / ".gitignore").write_text("*\n")
    asked = [b"a/x", b"x", b"A.LOG", b"kept", b"a/kept", b"folder/new", b"other", b":(top)x", b"\xff.log", b"a"]
    assert ignored(repository, list_tree(repository, made), asked) == {
        b"a/x", b"A.LOG", b"kept", b"folder/new", b"\xff.log",
    }  # fmt: skip
    assert ignored(repository, list_tree(repository, git(repository, "rev-parse", "HEAD~1")), asked) == frozenset()
    assert ignored(repository, list_tree(repository, made), []) == frozenset()


# --- the machine's own folder -----------------------------------------------------------------------------------------


def refused_state(folder):
    with pytest.raises(IntegrityError) as refused:
        require_own_state(folder)
    return refused.value.diagnostics()


@pytest.mark.parametrize("inside", ["", "tools/kv"])
def test_a_state_folder_that_git_tracks_is_refused(repository, inside):
    project = repository / inside
    kept = project / ".gate" / "cache" / "x"
    kept.parent.mkdir(parents=True)
    require_own_state(project / ".gate")
    kept.write_text("golden")
    require_own_state(project / ".gate")
    git(repository, "add", "-f", "-A")
    assert refused_state(project / ".gate").startswith(
        f"{project}/.gate: expected a folder that git does not track, but '.gate/cache/x' is tracked\n"
        "Remove it (git rm -r --cached .gate), and ignore it: "
    )


def test_a_state_folder_in_other_letters_is_the_same_on_some_file_systems(repository):
    (repository / ".GATE").mkdir()
    (repository / ".GATE" / "x").write_text("")
    commit(repository, "shouted")
    require_own_state(repository / ".gate")
    (repository / ".gate").mkdir()
    assert "'.GATE/x' is tracked" in refused_state(repository / ".gate")


def test_a_state_folder_that_is_a_link_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".gate").symlink_to(tmp_path / "elsewhere")
    assert refused_state(tmp_path / ".gate").startswith(
        f"{tmp_path}/.gate: expected a folder of this machine, found a symb"
    )


def test_a_repository_that_a_commit_brought_is_not_asked_about_the_state_folder(repository, tmp_path):
    """It would say that nothing there is tracked."""
    inside = repository / "kv"
    plant_repository(inside, tmp_path)
    (inside / ".gate").mkdir()
    (inside / ".gate" / "x").write_text("")
    git(repository, "add", "-f", "--", "kv/.gate")
    assert "'.gate/x' is tracked" in refused_state(inside / ".gate")


def test_outside_of_git_and_without_it_a_state_folder_is_taken_as_it_is(repository, tmp_path, monkeypatch):
    for project in (tmp_path / "plain", repository):
        (project / ".gate").mkdir(parents=True)
        require_own_state(project / ".gate")
    monkeypatch.setenv("PATH", str(tmp_path))
    require_own_state(repository / ".gate")
    monkeypatch.undo()
    (tmp_path / "plain" / ".git").mkdir()  # no repository
    require_own_state(tmp_path / "plain" / ".gate")
    git(repository, "worktree", "add", "-q", str(tmp_path / "linked"))
    (tmp_path / "linked" / ".gate").mkdir()
    require_own_state(tmp_path / "linked" / ".gate")

"""Files of a project that a patch can replace: what is read of them, and what is refused."""

import os

import pytest

from auditor.project_file import NotReadError, read_project_file


@pytest.fixture
def project(tmp_path):
    (tmp_path / "project" / "docs").mkdir(parents=True)
    (tmp_path / "id_rsa").write_text("private")
    (tmp_path / "project" / "docs" / "PLAN.md").write_text("sort")
    return tmp_path / "project"


def read(path, project):
    return read_project_file(path, project, most=10)


def refused(path, project):
    with pytest.raises(NotReadError) as error:
        read(path, project)
    return str(error.value)


def test_a_plain_file_is_read_wherever_it_is(project):
    assert read(project / "docs" / "PLAN.md", project) == b"sort"
    assert read(project.parent / "id_rsa", project) == b"private"


def test_a_link_inside_of_the_project_is_read(project):
    (project / "INTENT.md").symlink_to("docs/PLAN.md")
    assert read(project / "INTENT.md", project) == b"sort"


def test_a_project_behind_a_link_is_a_project(project):
    (project.parent / "here").symlink_to(project)
    assert read(project.parent / "here" / "docs" / "PLAN.md", project.parent / "here") == b"sort"


@pytest.mark.parametrize("target", ["../id_rsa", "/dev/zero", "/etc/passwd", "docs/../../id_rsa"])
def test_a_link_that_leaves_the_project_is_refused(project, target):
    (project / "INTENT.md").symlink_to(target)
    assert refused(project / "INTENT.md", project) == "a link that leaves the project"


def test_a_folder_that_leaves_the_project_is_refused(project):
    (project / "home").symlink_to("..")
    assert refused(project / "home" / "id_rsa", project) == "a link that leaves the project"


def test_a_link_of_a_tree_elsewhere_stays_in_its_folder(project):
    """The tree of a patch may lie beside the project."""
    tree = project.parent / "candidate"
    tree.mkdir()
    (tree / "INTENT.md").symlink_to("../id_rsa")
    assert refused(tree / "INTENT.md", project) == "a link that leaves its folder"
    (tree / "PLAN.md").write_text("sort")
    (tree / "TOO.md").symlink_to("PLAN.md")
    assert read(tree / "TOO.md", project) == b"sort"


def test_what_is_no_plain_file_is_refused(project, no_hang):
    os.mkfifo(project / "pipe")
    assert refused(project / "pipe", project) == "no plain file"
    assert refused(project / "docs", project) == "no plain file"
    assert refused(project.parent.joinpath("/dev/zero"), project) == "no plain file"


def test_the_size_is_limited(project):
    (project / "ten").write_bytes(b"x" * 10)
    (project / "eleven").write_bytes(b"x" * 11)
    assert read(project / "ten", project) == b"x" * 10
    assert refused(project / "eleven", project) == "more than 10 bytes"


def test_a_loop_of_links_and_no_file(project):
    (project / "a").symlink_to("b")
    (project / "b").symlink_to("a")
    with pytest.raises((NotReadError, OSError)):
        read(project / "a", project)
    with pytest.raises(FileNotFoundError):
        read(project / "none", project)

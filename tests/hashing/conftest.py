"""What several tests of the hashing room stand on."""

import os

import pytest
from packs import git_environment


@pytest.fixture
def isolated_git(tmp_path_factory, monkeypatch):
    """Git without the settings of the machine and of whoever runs the tests; a hook's GIT_DIR above all."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, setting in git_environment(tmp_path_factory.mktemp("home")).items():
        monkeypatch.setenv(name, setting)

"""The labelled data sets, where they are at hand."""

import os

import pytest

from evals.folder import find_folder, read

FOLDER = find_folder(os.environ)
needs_evalsets = pytest.mark.skipif(FOLDER is None, reason="the labelled data sets are not at hand (docs/evals.md)")


def records(name):
    return read(FOLDER, name)[0]

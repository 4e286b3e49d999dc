"""The pairs, as tests and benches read them. How a pair becomes two builds and a gate project is in evals/pairs."""

from evals.pairs.files import Pair, pair_files, read_pair
from evals.pairs.noise import NOISE, Noise
from evals.pairs.project import make_project
from evals.pairs.sides import environment, find_python

__all__ = ["NOISE", "Noise", "Pair", "environment", "find_python", "make_project", "pair_files", "read_pair"]

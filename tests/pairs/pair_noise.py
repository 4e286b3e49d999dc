"""What a reviewer writes into gate.toml for each pair after holding the old version against itself."""

from pair_project import Noise

NOISE: dict[str, Noise] = {}

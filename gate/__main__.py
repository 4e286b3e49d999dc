"""`python -m gate`."""

from gate.cli.main import main

main()

"""The room of the vote: ballots, their tally, and the runner that makes properties vote in fresh processes."""

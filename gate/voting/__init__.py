"""Reserved for the vote: ballots, their tally, and the runner that lets properties vote in fresh processes. Empty so far."""

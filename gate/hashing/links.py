"""Where symbolic links lead, worked out from their texts alone."""

from __future__ import annotations

from collections.abc import Mapping

_HOPS = 255
"""Links followed before giving up. Linux gives up at 40 (ELOOP), so whatever lies beyond is never reached."""


def escapes(path: bytes, links: Mapping[bytes, bytes]) -> bool:
    """Whether following the link at `path` leaves the folder.

    `links` maps each link of the folder to its text, paths relative to the folder. Links on the way are followed, since
    `a/..` is not where it seems when `a` is a link. A missing name counts as a folder: a step may make one. A loop
    leads nowhere, so it does not escape.
    """
    here = path.split(b"/")[:-1]
    ahead = [path.split(b"/")[-1]]
    hops = 0
    while ahead:
        part = ahead.pop()
        if part == b"..":
            if not here:
                return True
            here.pop()
        elif part not in (b"", b"."):
            text = links.get(b"/".join([*here, part]))
            if text is None:
                here.append(part)
                continue
            hops += 1
            if text.startswith(b"/"):
                return True
            if hops > _HOPS:
                return False
            ahead.extend(reversed(text.split(b"/")))
    return False

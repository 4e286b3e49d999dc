"""A document as one HTML page: no script, nothing that is loaded from elsewhere, every text escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from auditor.drafting.fence import visible_line
from evals.document import Block, Bullets, Heading, Picture, Span, Table, Words

_STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff; }
h2 { margin-top: 3rem; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border: 1px solid #ccc; padding: .25rem .6rem; text-align: left; unicode-bidi: isolate; }
th { background: #f2f2f2; }
code { font-family: ui-monospace, monospace; background: #f4f4f4; overflow-wrap: anywhere; unicode-bidi: isolate; }
li { unicode-bidi: isolate; }
small { color: #6a4a00; }
.alarm { border-left: .4rem solid #b3261e; background: #fdecea; padding: .6rem 1rem; }
svg { max-width: 100%; height: auto; }"""


def page(blocks: Sequence[Block]) -> str:
    """The whole page, with one line feed at its end. Its title is that of the first heading."""
    title = next((_bare(block.words) for block in blocks if isinstance(block, Heading)), "")
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{_STYLE}\n</style>",
            "</head>",
            "<body>",
            *(line for block in blocks for line in _lines(block)),
            "</body>",
            "</html>",
            "",
        )
    )


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"<h{block.level}>{_words(block.words)}</h{block.level}>"
    elif isinstance(block, Bullets):
        yield from ("<ul>", *(f"<li>{_words(item)}</li>" for item in block.items), "</ul>")
    elif isinstance(block, Table):
        yield from ("<table>", f"<thead>{_row(block.head, 'th')}</thead>", "<tbody>")
        yield from (_row(row, "td") for row in block.rows)
        yield from ("</tbody>", "</table>")
    elif isinstance(block, Picture):
        yield from ("<figure>", block.svg.rstrip("\n"), f"<figcaption>{_text(block.about)}</figcaption>", "</figure>")
    else:
        opening = '<p class="alarm">' if block.alarm else "<p>"
        yield f"{opening}{_words(block.words)}</p>"


def _row(cells: Sequence[Words], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{_words(cell)}</{tag}>' for cell in cells)}</tr>"


def _words(words: Words) -> str:
    return "".join(_text(part) if isinstance(part, str) else _span(part) for part in words)


def _span(span: Span) -> str:
    return f"<{span.style}>{_text(span.text)}</{span.style}>" if span.text else ""


def _bare(words: Words) -> str:
    return "".join(_text(part if isinstance(part, str) else part.text) for part in words)


def _text(text: str) -> str:
    return escape(visible_line(text), quote=True)

# ruff: noqa: E501 - the samples stand as they are read
"""Small files of common kinds, for a fixture pack where the repository holds none: real enough to be read, uneven enough to be mended."""

from __future__ import annotations

SAMPLES: dict[str, tuple[str, ...]] = {
    ".py": (
        '"""Orders."""\nimport os, sys\nfrom typing import List\n\nRATE=0.19\n\n\nclass Order( object ):\n    def __init__(self,items:List[float],\n      note = None):\n        self.items = items; self.note=note\n\n    def total( self ):\n        """Sum."""\n        result=0\n        for item in self.items :\n            if item>0 and not item==1 :\n                result = result+item*( 1+RATE )\n        return result\n\n\ndef main(argv=None):\n    x = {  "a":1,\'b\' : [1,2,\n      3] }\n    try:\n        print("%s %d" % (x, len(argv or sys.argv)))\n    except Exception as e:\n        pass\n    return lambda y: y**2\n',
        'async def fetch(url: str, *, retries: int = 3) -> str | None:\n    # TODO: naïve back-off, 日本\n    async with client() as c:\n        return await c.get(f"{url!r:>{retries}}")\n',
        "def broken(:\n    return 1\n",
    ),
    ".sql": (
        "select a.id,a.name , count(*) as n from users a left join orders o on o.user_id=a.id where a.age>=18 and (o.total<100 or o.total is null) group by a.id, a.name having count(*)>1 order by n desc limit 10; -- end\n",
        "CREATE TABLE tour_t (id int primary key, name varchar(20) default 'é''x'); INSERT INTO tour_t VALUES (1,'a'),(2,null);\n/* block\n comment */ update tour_t set name=case when id=1 then 'one' else upper(name) end where id in (select id from tour_t);\n",
        "select 'unterminated from (\n",
    ),
    ".csv": (
        'id,name,amount,date\n1,Ada,10.50,2024-01-31\n2,"Brown, Bob",-3,2024-02-29\n3,"says ""hi""",,\n4,Zoë,1e3,31.01.2024\n',
        "a;b;c\n1;2;3\n4;5\n",
    ),
    ".tsv": ("id\tname\n1\tAda\n2\tZoë\n",),
    ".json": (
        '{"name": "Ada", "tags": ["x", "y"], "nested": {"n": 1.50, "none": null, "yes": true}, "text": "caf\\u00e9 \\"q\\""}\n',
        '[{"id":1,"a":[]},{"id":2,"a":[1,[2,[3]]]},{"id":1}]\n',
        '{"a": 1,\n',
    ),
    ".yaml": (
        "---\nname: Ada\nlist:\n  - one\n  -   two\n  - {a: 1, b: [x, y]}\ntext: |\n  several\n  lines\nanchor: &a {k: v}\nuse: *a\nyes: no   # comment\n",
        'key: value\nkey: "twice"\nother:   [1,2 ,3]\n\n\n\ncafé: "é"\nlong: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n',
        "a: [1\nb: : x\n",
    ),
    ".toml": ('title = "x"\n[owner]\nname = "Ada"\nage=36\ntags = ["a", "b"]\n[[item]]\nid = 1\n[[item]]\nid = 2\n', "a = \n"),
    ".ini": ("[main]\nname = Ada\nlevel: 3\n; comment\n[other]\npath = %(home)s/x\nname\n", "name = without section\n"),
    ".env": ("A=1\nexport B='two words'\nC=\"line\\nbreak ${A}\"\n# comment\nD=\n\nE = spaced # tail\nF=é\n", "NO_VALUE\n=x\nA=1\nA=2\n"),
    ".md": (
        "# Title\n\nSome *emphasis*, **strong** and `code`; a [link](http://example.com/a_b \"t\").\n\n* one\n* two\n    1. deep\n\n> quote\n\n```python\nprint(1)\n```\n\n| a | b |\n|---|:-:|\n| 1 | é |\n",
        "Setext\n======\n\nLine  \nbreak\n***\n![i](x.png) <http://example.com>\n",
    ),
    ".rst": ("Title\n=====\n\nSome *emphasis* and ``code``.\n\n.. note:: hi\n\n* one\n* two\n",),
    ".html": (
        '<!DOCTYPE html>\n<html><head><title>T &amp; é</title></head><body><h1>Head</h1><p>Some <b>bold</b>, <i>it</i> and <a href="/a?b=1" title="t">link</a><br>new line</p><ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul><ol start="3"><li>x</li></ol><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><pre>  code\n</pre><img src="i.png" alt="alt"><blockquote>q</blockquote></body></html>\n',
        "<p>unclosed <b>bold <a name=x>a</a>&nbsp;&lt;&#233;&bogus;<div>text\n",
    ),
    ".xml": ('<?xml version="1.0"?>\n<root a="1"><item id="x">é</item><!-- c --><item/></root>\n', "<root><a></root>\n"),
    ".js": ("const a = [1,2,3].map((x)=>{return x*2});\nfunction f(b){if(b){console.log('b')}else{return null}}\n",),
    ".css": ("a{color:red;margin:0 0 1px}\n@media print{.b>c{display:none!important}}\n",),
    ".txt": (
        "Some words, and some more words.\nA second line\twith a tab  and two blanks.\n\nNaïve café 12.5 2024-01-31\n",
        "alpha\nbeta\nalpha\n",
    ),
    ".log": ("2024-01-31 12:00:00 INFO start id=1\n2024-01-31 12:00:01 ERROR failed: timeout\nno date\n",),
}  # fmt: skip
"""By suffix; the last of three is broken on purpose."""

ALIKE = {
    ".yml": ".yaml",
    ".htm": ".html",
    ".markdown": ".md",
    ".cfg": ".ini",
    ".conf": ".ini",
    ".jsonl": ".json",
    ".pyi": ".py",
}
"""Suffixes that stand for others."""

KINDS = {
    "python": ".py", "docstring": ".py", "docstrings": ".py", "sql": ".sql", "csv": ".csv", "tsv": ".tsv", "json": ".json", "yaml": ".yaml", "yml": ".yaml", "toml": ".toml",
    "ini": ".ini", "dotenv": ".env", "markdown": ".md", "md": ".md", "restructuredtext": ".rst", "rst": ".rst", "html": ".html",
    "xml": ".xml", "javascript": ".js", "css": ".css", "log": ".log",
}  # fmt: skip
"""Words of a program's name or help that name a kind of file, and its suffix."""

from gate.corpus.grammar import Argument, Command, Grammar
from gate.corpus.lives import Event, lived, lives

NAME = Argument(kind="text")
TASKS = Grammar(
    commands=tuple(
        Command(name=name, role=role, noun="task", args=() if role == "list" else (NAME,))
        for name, role in (("add", "create"), ("show", "read"), ("rename", "update"), ("rm", "delete"), ("ls", "list"))
    )
)
FILES = Grammar(
    commands=(
        Command(name="cat", role="read", noun="file", args=(NAME,)),
        Command(name="rm", role="delete", noun="file", args=(NAME,)),
    )
)


def events(text, noun="task"):
    """`create a, list` as events."""
    rows = [row.split(" ") for row in text.split(", ")]
    return [Event(noun=noun, role=row[0], name=row[1] if len(row) > 1 else None) for row in rows]


def test_the_lives_of_a_noun_with_all_roles():
    assert [life.tag for life in lives(TASKS)] == [
        "life task: create twice",
        "life task: create then read",
        "life task: create then update",
        "life task: create then delete",
        "life task: create then list",
        "life task: read twice",
        "life task: update then read",
        "life task: update twice",
        "life task: update then list",
        "life task: create after delete",
        "life task: read after delete",
        "life task: update after delete",
        "life task: delete twice",
        "life task: list after delete",
        "life task: list twice",
    ]


def test_a_noun_that_nothing_creates_has_the_lives_of_what_is_there():
    assert [(life.tag, life.roles) for life in lives(FILES)] == [
        ("life file: read twice", ("read", "read")),
        ("life file: read after delete", ("delete", "read")),
        ("life file: delete twice", ("delete", "delete")),
    ]


def test_a_thing_is_created_before_it_is_used():
    roles = {life.tag: life.roles for life in lives(TASKS)}
    assert roles["life task: read after delete"] == ("create", "delete", "read")
    assert roles["life task: create twice"] == ("create", "create")


def test_a_life_is_one_of_one_thing():
    assert lived(TASKS, events("create a, read b")) == frozenset()
    assert lived(TASKS, events("create a, create b, read a")) == {"life task: create then read"}


def test_what_was_never_created_has_no_life():
    assert lived(TASKS, events("read a, read a")) == frozenset()
    assert lived(FILES, events("read a, read a", noun="file")) == {"life file: read twice"}


def test_a_list_is_about_every_thing_and_parts_no_other_life():
    assert lived(TASKS, events("create a, list, delete a, list")) == {
        "life task: create then list",
        "life task: create then delete",
        "life task: list after delete",
    }


def test_without_events_nothing_lives():
    assert lived(TASKS, []) == frozenset()

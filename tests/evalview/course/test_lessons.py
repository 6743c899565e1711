"""The files of the lessons: every field is there, and what they name exists."""

import re
from collections import Counter
from inspect import getfile
from pathlib import Path

import pytest

from evalcore.metrics.vocabulary import cite
from evalview import explained
from evalview.course.lessons import HERE, PARTS, Lesson, is_state, lessons
from evalview.course.polls import Question
from evalview.explained.concepts import concepts
from evalview.explained.lookup import entries
from evalview.explorer import source
from pages import contents

DRAWN = [one for one in lessons().values() if one.stage]


def named(one: Lesson) -> str:
    return one.key


def test_titles_and_places_are_told_apart() -> None:
    assert len(lessons()) == len(list(HERE.iterdir()))
    for field in ("title", "question"):
        assert Counter(getattr(one, field) for one in lessons().values()).most_common(1)[0][1] == 1
    places = Counter((one.part, one.order) for one in lessons().values())
    assert places.most_common(1)[0][1] == 1
    assert [one.part for one in lessons().values()] == sorted(
        (one.part for one in lessons().values()), key=PARTS.index
    )


def test_titles_are_those_of_no_other_page() -> None:
    # The frame finds the page that is shown by its title.
    titles = Counter(entry.title for entry in contents.CONTENTS)
    assert titles.most_common(1)[0][1] == 1


@pytest.mark.parametrize("one", lessons().values(), ids=named)
def test_a_lesson_asks_a_question_and_has_a_page(one: Lesson) -> None:
    assert one.question.endswith("?")
    assert one.title[0].isupper()
    entry = next(entry for entry in contents.CONTENTS if entry.name == one.key)
    assert entry.section == contents.LESSONS


@pytest.mark.parametrize("one", lessons().values(), ids=named)
def test_a_lesson_has_every_part(one: Lesson) -> None:
    assert 2 <= len(one.notice) <= 6
    assert one.check.endswith("?")
    assert Question(one.check, one.choices).choices, "a class picks from them"
    assert one.answer.endswith(".")
    assert one.formula
    assert one.sources
    assert one.concepts
    if one.stage:
        assert source.component(one.stage)
        assert one.settings


@pytest.mark.parametrize("one", lessons().values(), ids=named)
def test_texts_are_whole_sentences_of_readable_length(one: Lesson) -> None:
    for text in (*(way.text for way in one.notice), one.answer):
        assert text[0].isupper() or text[0].isdigit() or text[0] in "“"
        assert text.endswith((".", "?")), text
    assert all(len(way.text) <= 260 for way in one.notice)
    assert len(one.check) <= 400
    assert len(one.answer) <= 600


def test_quotes_and_apostrophes_of_lessons_and_the_glossary_are_curly() -> None:
    rooms = (HERE, HERE.parent, Path(explained.__file__).parent, Path(getfile(cite)).parent)
    for path in (path for room in rooms for path in room.glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            # What stands behind a state is a condition in JavaScript.
            told = line.split(" | ")[0] if line.count(" | ") > 1 else line
            assert line.startswith("#") or not set(told) & set("'\""), f"{path.name}: {told}"


@pytest.mark.parametrize("one", DRAWN, ids=named)
def test_what_can_be_moved_begins_within_its_range(one: Lesson) -> None:
    keys = [setting.key for setting in one.settings]
    assert len(set(keys)) == len(keys)
    for setting in one.settings:
        if setting.options:
            assert setting.start[0] in setting.options
            assert len(setting.options) > 1
        elif setting.form == "words":
            assert setting.start == ("",)
        else:
            assert setting.low < setting.high
            assert all(setting.low <= value <= setting.high for value in setting.start)
            assert setting.step > 0 or setting.low > 0 or not setting.label
        assert setting.form in ("number", "percent", "count", "row", "words")


@pytest.mark.parametrize("one", DRAWN, ids=named)
def test_a_state_that_shows_something_is_one_that_the_lesson_can_be_in(one: Lesson) -> None:
    for way in one.notice:
        assert not way.target or is_state(one, way.target), way


@pytest.mark.parametrize("one", lessons().values(), ids=named)
def test_links_lead_to_pages_samples_and_states_that_exist(one: Lesson) -> None:
    from pages.session import store

    pages = {entry.name for entry in contents.CONTENTS}
    for way in one.see:
        assert way.page in pages, way
        for token in way.params.get("data", ()):
            assert store.files(token), way
        for state in way.params.get("at", ()):
            assert is_state(lessons()[way.page], state), way


@pytest.mark.parametrize("one", lessons().values(), ids=named)
def test_sources_and_entries_of_the_glossary_exist(one: Lesson) -> None:
    for told in one.sources:
        assert re.search(r"\(\d{4}\)", told.text), told
        assert told.url.startswith(("https://", "http://")), told
    for name in one.concepts:
        assert name in concepts() or name in entries(), name


def test_a_reference_that_metrics_have_is_not_written_out_again() -> None:
    for path in HERE.glob("*.txt"):
        for line in path.read_text("utf-8").splitlines():
            text, _, url = line.partition(" | ")
            if url.startswith("https://"):
                with pytest.raises(ValueError, match="not enough values"):
                    cite(text.split(")")[0] + ")")


@pytest.mark.parametrize("one", lessons().values(), ids=named)
def test_what_a_word_means_is_said_in_short_sentences(one: Lesson) -> None:
    told = [way.text for way in one.words]
    assert len(set(told)) == len(told) <= 8
    for way in one.words:
        assert way.target[0].isupper() or way.target[0].isdigit()
        assert way.target.endswith("."), way
        assert len(way.target) <= 180, way


@pytest.mark.parametrize(
    "key", ["matrix", "roc_steps", "densities", "overfitting", "folds", "interval", "clusters"]
)
def test_lessons_for_those_who_know_no_statistics_explain_their_words(key: str) -> None:
    assert len(lessons()[key].words) >= 6

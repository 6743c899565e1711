"""Every text of every page over all samples: whole sentences, and no name that only code uses."""

import re
from collections.abc import Iterator

import pytest

from evalread.dataset import NO_CHOICES, Dataset
from evalview.explained.lookup import entries
from pages import contents
from pages.session import reading, store
from tests.pages.conftest import OPEN, open_page
from tests.pages.said import texts

SAMPLES = sorted(path.stem for path in store.SAMPLES.iterdir() if path.suffix == ".csv")
OPENED = {
    "overview": OPEN,
    "comparison": {"bootstrap": "true", "disagree": "true"},
    "costs": {"costs": "0,1,5,0"},
}
CODE = ("code", "tab", "latex", "text_area")
"""Kinds of elements that hold code, or what is copied into a box."""

Told = list[tuple[str, str, str]]


def _of_sample(sample: str) -> tuple[Dataset | None, Told]:
    """Return a sample, and every text with its page and its kind; "" is without any data."""
    data = {"data": store.SAMPLE_PREFIX + sample.replace("_", "-")} if sample else {}
    dataset = reading.reading(data["data"], NO_CHOICES).dataset if sample else None
    told = []
    for entry in contents.CONTENTS:
        is_lesson = entry.section == contents.LESSONS
        if is_lesson == bool(sample) or not (entry.fits(dataset) or not sample):
            continue
        at = open_page(entry.name, **data, **(OPENED.get(entry.name, {}) if sample else {}))
        assert not at.exception, entry.name
        assert not at.error, entry.name
        told += [(entry.name, kind, said) for kind, said in texts(at) if kind not in CODE]
    return dataset, told


@pytest.fixture(scope="module", params=["", *SAMPLES], ids=lambda name: name or "no data")
def read(request: pytest.FixtureRequest) -> tuple[Dataset | None, Told]:
    return _of_sample(request.param)


def _names(dataset: Dataset | None) -> set[str]:
    """Return what the file itself calls things: its columns, models, classes and clusterings."""
    if dataset is None:
        return set()
    scored = () if dataset.fold_scores is None else dataset.fold_scores.models
    named = {*dataset.models, *dataset.clusterings, *dataset.classes, *scored}
    return {*dataset.table.names, *named}


KEY = re.compile(r"(?<![\w./$])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w.(])")
"""A name of code: words joined by lines below."""

IS_CODE = ("f_beta(3)", "evalboard ", "import ")


def _without(said: str, names: set[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        said = said.replace(name, "X")
    return said


def test_no_text_shows_a_name_that_only_code_uses(read: tuple[Dataset | None, Told]) -> None:
    dataset, told = read
    names, keys = _names(dataset), set(entries())
    wrong = [
        f"{page} ({kind}): {said}"
        for page, kind, said in told
        if KEY.search(_without(said, names)) and not said.startswith(IS_CODE) and "$" not in said
        # The glossary tells the name in code as such.
        if not (said in keys and page == "glossary")
    ]
    assert not wrong, "\n".join(wrong)


def _sentences(said: str) -> Iterator[str]:
    """Return the sentences of a text: what ends with a stop, and what follows one."""
    parts = re.split(r"(?<=[a-z0-9)”\"%])[.?!] ", said)
    whole = said.endswith((".", "?", "!"))
    yield from (part for place, part in enumerate(parts) if place or len(parts) > 1 or whole)


FREE = re.compile(r"scikit-learn|evalcore|https?:|e\.g\.|p values?\b|t-test|k-fold|k-means|in \d|…")
"""What begins with a small letter wherever it stands."""


def test_every_sentence_begins_with_a_capital(read: tuple[Dataset | None, Told]) -> None:
    dataset, told = read
    begun = tuple(_names(dataset))
    wrong = [
        f"{page} ({kind}): {said}"
        for page, kind, said in told
        if kind != "plotly_chart"  # labels and what is pointed at: no sentences
        for sentence in _sentences(re.sub(r"[\\*\u2060]", "", said))
        if (begins := sentence.lstrip("“\"'([ "))[:1].islower()
        and not begins.startswith(begun)
        and not FREE.match(begins)
    ]
    assert not wrong, "\n".join(wrong)


def test_no_text_is_a_placeholder_or_a_number_of_python(read: tuple[Dataset | None, Told]) -> None:
    python = re.compile(r"\bnan\b|\bNone\b(?! of)|\binf\b|np\.|<class|(?<!%)\{\w+\}")
    assert not [
        f"{page} ({kind}): {said}" for page, kind, said in read[1]
        if python.search(said) and "$" not in said
    ]  # fmt: skip

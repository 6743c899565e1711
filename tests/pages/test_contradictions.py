"""No page contradicts the verdict, another page or itself: every sentence about who is better.

Every page of a file is opened and read. A text that names a model and compares it must be one
that is understood here, and is held against the one verdict of the file.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest

from evalcore.compare import compare, verdict
from evalcore.comparison.results import Comparison
from evalcore.errors import EvalError
from evalcore.metrics.catalog import by_key
from evalcore.options import Options
from evalcore.text import within_sentence
from evalread.dataset import Dataset
from evalread.loading import load
from pages import contents
from pages.session import store
from pages.widgets import comparing
from tests.pages.conftest import open_page
from tests.pages.said import texts
from tests.pages.seeded import file_of

NORMAL, ALL = 8, 30
SEEDS = [
    pytest.param(seed, marks=pytest.mark.slow if seed >= NORMAL else ()) for seed in range(ALL)
]
OPENED = {
    "overview": {"numbers": "true", "curves": "true"},
    "comparison": {"bootstrap": "true"},
    "costs": {"costs": "0,1,5,0"},
    "thresholds": {"costs": "0,1,5,0"},
}
"""What the address of a page says so that all of it is shown."""

WHO = r"((?:m|cluster_)\d)"
WHOM = r"((?:(?:m|cluster_)\d(?:, | and )?)+)"


@dataclass(frozen=True, eq=False)
class Read:
    """A file, what every page of it says, and what may be said of its models."""

    dataset: Dataset
    said: Mapping[str, list[tuple[str, str]]]
    fed: Mapping[str, Any]
    main: Comparison | None
    made: dict[str, Comparison] = field(default_factory=dict)

    def by(self, name: str) -> Comparison:
        """Return the comparison by the metric that a sentence calls so."""
        keys = [key for key in comparing.offered(self.dataset) if _is_called(key, name)]
        assert keys, f"{name!r} is no metric"
        if keys[0] not in self.made:
            made = verdict if self.dataset.fold_scores is None else compare
            self.made[keys[0]] = made(self.dataset, _options(self.dataset), metric=keys[0])
        return self.made[keys[0]]

    @property
    def headline(self) -> str:
        """The page whose headline is the verdict."""
        return "overview" if self.dataset.fold_scores is None else "cross_validation"


def _is_called(key: str, name: str) -> bool:
    return name in (key, within_sentence(by_key()[key].name)) if key in by_key() else name == key


def _options(dataset: Dataset) -> Options:
    return Options(threshold=dataset.threshold)


@pytest.fixture(scope="module", params=SEEDS)
def read(request: pytest.FixtureRequest) -> Read:
    """Every page of a file, read."""
    name, content = file_of(request.param)
    dataset, said, fed = load([(name, content)]), {}, {}
    data = store.keep([(name, content)])
    for entry in contents.CONTENTS:
        if entry.section in (contents.LESSONS, "Start", "Data") or not entry.fits(dataset):
            continue
        at = open_page(entry.name, data=data, **OPENED.get(entry.name, {}))
        assert not at.exception, entry.name
        said[entry.name] = texts(at)
        if entry.name == "thresholds":
            fed = _fed(at)
    return Read(dataset, said, fed, _main(dataset))


def _fed(at: Any) -> Mapping[str, Any]:
    found = (one.proto for one in at.get("bidi_component"))
    return next((json.loads(p.json) for p in found if p.component_name == "threshold_explorer"), {})


def _main(dataset: Dataset) -> Comparison | None:
    scored = dataset.fold_scores
    if len(dataset.models if scored is None else scored.models) < 2:
        return None
    try:
        made = verdict if scored is None else compare
        return made(dataset, _options(dataset))
    except EvalError:
        return None


def _names(said: str) -> list[str]:
    return re.findall(WHO, said)


def _is_better(read: Read, who: str, how: str, whom: str) -> None:
    assert read.main is not None
    told = read.main.verdict
    if not _names(whom):  # "both others", "all 4 others"
        assert told.winner == who
    beaten = _names(whom) or [name for name in told.order if name != who]
    assert all(told.is_ahead(who, name) for name in beaten)
    if _names(whom):
        assert {told.between(who, name).sure for name in beaten} == {how == "clearly"}
    else:
        assert all(told.between(who, name).sure for name in beaten) == (how == "clearly")


def _is_tied(read: Read, whom: str) -> None:
    assert read.main is not None
    told = read.main.verdict
    assert told.winner is None
    assert not any(told.is_ahead(told.leader, name) for name in _names(whom))


def _no_single_best(read: Read, who: str, other: str) -> None:
    assert read.main is not None
    assert read.main.verdict.winner == who
    others = [read.by(name) for name in ("accuracy", "Brier score", "mean absolute error")
              if any(_is_called(key, name) for key in comparing.offered(read.dataset))]  # fmt: skip
    assert any(one.verdict.is_ahead(other, who) for one in others)


def _by_another(read: Read, who: str, whom: str, metric: str) -> None:
    assert read.by(metric).verdict.is_ahead(who, whom)


def _leads_by(read: Read, who: str, metrics: str) -> None:
    named = re.split(r", | and ", re.sub(r" and \d+ more$", "", metrics))
    assert all(read.by(name).verdict.winner == who for name in named)


def _is_ahead(read: Read, who: str, probably: str, whom: str, name: str, way: str) -> None:
    told, better = read.by(name).verdict, read.by(name).better
    other = whom or told.order[1]
    assert told.is_ahead(who, other)
    assert told.between(who, other).sure == (not probably)
    assert better.value == way


def _has_best_value(read: Read, who: str) -> None:
    assert any(
        made.models[who].value == made.models[made.order[0]].value
        for made in map(read.by, comparing.offered(read.dataset))
    )


def _no_skill(read: Read, whom: str) -> None:
    skill = read.by("Brier score").gains
    for who in _names(whom):
        assert skill[who].value < 0


def _resamples(read: Read, who: str, whom: str, share: str) -> None:
    assert read.main is not None
    assert read.main.order.index(who) < read.main.order.index(whom)
    if read.main.verdict.is_ahead(who, whom):
        assert float(share.strip(">")) > 90


UNDERSTOOD: Mapping[str, Callable[..., None]] = {
    rf"^{WHO} is (clearly|probably) better than ({WHOM}|both others|all \d+ others)"
    r"(?:, by a difference too small to matter)?\.?$": lambda read, *a: _is_better(read, *a[:3]),
    rf"^{WHO} is (clearly|probably) better than {WHOM}, (probably) better than {WHOM}$": (
        lambda read, who, how, whom, less, others: (
            _is_better(read, who, how, whom),
            _is_better(read, who, less, others),
        )
    ),
    rf"^{WHOM} are too close to call(?:; (?:both|all) beat chance(?: by far)?)?$": _is_tied,
    rf"^{WHOM} are too close to call on .* \([^)]*\)$": _is_tied,
    rf"^No single best: {WHO} .*, but {WHO} .*$": _no_single_best,
    rf"^No single best: {WHO} .*, and {WHO} is not shown to be .*$": (
        lambda read, who, weak: _no_single_best(read, weak, who)
    ),
    rf"^probabilities of {WHOM} are worse than always saying the share of positives$": _no_skill,
    rf"^{WHO} is (clearly|probably) better than ({WHOM}|both others|all \d+ others), but not shown "
    r"to be .*$": lambda read, *a: _is_better(read, *a[:3]),
    rf"^{WHO} (?:is right more often|tells the classes apart better|ranks better|"
    rf"decides better|gives truer probabilities|predicts closer) than {WHO}, by (.*)$": _by_another,
    rf"^{WHO} is shown to be better than (?:the|every) other by (.*?)\.?$": _leads_by,
    rf"^{WHO} has the best (?:value by .*|[^()]*)$": _has_best_value,
    rf"^{WHO} has the best [^()]* \([^()]*\)\.?$": _has_best_value,
    rf"^{WHO} (probably )?(?:ranks|decides|does) better(?: than the next, {WHO})?: "
    r"its (.*) is (higher|lower) by [^ ]+ \([^()]*\)$": _is_ahead,
    rf"^{WHO} (probably )?(?:gives truer probabilities|predicts closer)(?: than the next, {WHO})?: "
    r"its (.*) is (higher|lower) by [^ ]+ \([^()]*\)$": _is_ahead,
    rf"^{WHO} is ahead by \S+ in [^()]*$": _has_best_value,
    rf"^{WHO} is ahead of {WHO} in (>?\d+)% of the resamples$": _resamples,
    rf"^How often is {WHO} ahead\?$": lambda read, who: None,
    r"^The (?:best of \d+|better of two) looks better than it is, .*$": lambda read: None,
}
"""Sentences that compare models, and what must be true then."""

COMPARES = re.compile(r"\b(better|best|ahead|behind|wins?|winner|beats?|leads?|worse|too close)\b")


def _sentences(said: str) -> Iterator[str]:
    """Return the statements of a text, which dots and semicolons part."""
    whole = [pattern for pattern in UNDERSTOOD if re.search(pattern, said)]
    yield from [said] if whole else re.split(r" · |; (?!both|all)|(?<=[a-z0-9]\.) ", said)


def _compared(read: Read) -> Iterator[tuple[str, str]]:
    for page, said in read.said.items():
        for kind, text in said:
            if kind in ("selectbox", "multiselect", "radio", "code"):
                continue
            for sentence in _sentences(text):
                if re.search(WHO, sentence) and COMPARES.search(sentence):
                    yield page, sentence.strip()


def test_every_sentence_that_compares_models_agrees_with_the_verdict(read: Read) -> None:
    for page, sentence in _compared(read):
        if read.dataset.clusterings or page == "costs":
            continue
        found = [(re.search(p, sentence), check) for p, check in UNDERSTOOD.items()]
        known = [(match, check) for match, check in found if match]
        assert known, f"{page} says what no test understands: {sentence!r}"
        try:
            known[0][1](read, *known[0][0].groups())
        except AssertionError as wrong:
            raise AssertionError(f"{page} contradicts the verdict: {sentence!r}") from wrong


VERDICT = re.compile(
    r"too close to call|(clearly|probably) (better|right)|No single best|identical"
)


def test_the_verdict_stands_on_one_page_alone(read: Read) -> None:
    pages = {page for page, sentence in _compared(read) if VERDICT.search(sentence)}
    pages |= {page for page, said in read.said.items() if any("identical on" in s for _, s in said)}
    assert pages <= {read.headline}, pages
    if read.main is not None and not read.main.doubt and "no value" not in read.main.summary:
        assert pages or "Nothing can be concluded" in read.main.summary
    assert not any("Best model" in text for said in read.said.values() for _, text in said)


def test_marks_and_next_steps_follow_the_verdict(read: Read) -> None:
    if read.main is None or read.dataset.fold_scores is not None:
        return
    said = [text for _, text in read.said["overview"]]
    told = read.main.verdict
    assert ("Why is it better?" in said) == (told.winner is not None)
    assert ("Why is it a tie?" in said) <= (told.winner is None)
    marked = any(text.startswith("○ too close to the best") for text in said)
    assert marked <= (told.winner is None)
    best = any("● better than every other" in text for text in said)
    assert best <= (told.winner is not None)


def test_pairs_that_can_be_told_apart_are_counted_alike(read: Read) -> None:
    if read.main is None:
        return
    pairs = list(combinations(read.main.order, 2))
    shown = sum(read.main.verdict.between(*pair).better is not None for pair in pairs)
    for page in ("comparison", "leaderboard"):
        for _, text in read.said.get(page, ()):
            if text.startswith("The two can"):
                assert text.startswith("The two cannot") == (shown == 0)
            if found := re.match(r"(\d+) of (\d+) pairs can be told apart", text):
                by = _metric_of(read.said[page])
                made = read.main if by is None else read.by(by)
                apart = sum(made.verdict.between(*pair).better is not None for pair in pairs)
                assert int(found[1]) == apart


def _metric_of(said: list[tuple[str, str]]) -> str | None:
    found = (re.match(r"(.*), row minus column", text) for _, text in said)
    return next((within_sentence(match[1]) for match in found if match), None)


def test_probabilities_are_off_or_fit_on_every_page(read: Read) -> None:
    if "calibration" not in read.said:
        return
    [headline] = [text for _, text in read.said["calibration"] if "’s probabilities " in text][:1]
    strays = {page: _strays(read.said[page]) for page in ("overview", "calibration")}
    known = {one for one in strays.values() if one is not None}
    assert len(known) <= 1, strays
    if True in known:
        assert "probabilities fit" not in headline or "cannot tell" in headline
    if False in known:
        assert not re.search(r"too (high|low) (above|below|from|near|in) ", headline)
    for _, text in read.said["calibration"]:
        if "’s probabilities" in text and "fit" in text:
            assert text == headline or "rows" in text


def _strays(said: list[tuple[str, str]]) -> bool | None:
    """Return whether a page says that bins are off; None where it says nothing of bins."""
    for _, text in said:
        if re.match(r"Probabilities of .* are (off|too)", text):
            return True
        if re.match(r"No .*bin is clearly off", text):
            return False
    return None


def test_the_cheapest_threshold_is_the_same_on_both_tabs(read: Read) -> None:
    if not read.fed or read.dataset.roles.task.value != "binary":
        return
    cheapest = {each["name"]: each["threshold"] for each in _cheapest(read.fed)}
    said = [text for _, text in read.said["costs"]]
    found = [re.match(rf"The cheapest threshold of {WHO} is (\S+)$", text) for text in said]
    for match in filter(None, found):
        assert float(match[2].replace("−", "-")) == pytest.approx(cheapest[match[1]])
    for text in said:
        if match := re.match(rf"Flagging nothing is cheapest with {WHO}$", text):
            assert cheapest[match[1]] is None or cheapest[match[1]] == float("inf")


def _cheapest(fed: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = [model["name"] for model in fed["models"]]
    pairs = zip(names, fed["costs"]["cheapest"], strict=True)
    return [{"name": name, "threshold": one["threshold"]} for name, one in pairs]


def test_no_page_says_the_same_verdict_twice(read: Read) -> None:
    for page, said in read.said.items():
        stated = [text for _, text in said if VERDICT.search(text) and re.search(WHO, text)]
        assert len(stated) == len(set(stated)), page
        best = [text for _, text in said if re.match(rf"{WHO} has the best value by", text)]
        assert len(best) <= 1, (page, best)

"""What the name of a column tells: that it holds predictions, of which model, of which class."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from evalcore.intake.words import FILLER, LABEL, MODEL, PREDICTION, SCORE, pieces, plain

BETWEEN = ": "
"""Stands between the name of a table and that of its column, where several were joined."""

_SEPARATORS = " _.-:=/("

_SPELLINGS: tuple[Callable[[str], str], ...] = (
    lambda name: name,
    str.lower,
    lru_cache(20_000)(lambda name: re.sub(r"[\W_]", "_", name.lower())),
)
"""How the class in a column's name may be written: as it is, in small letters, with underscores."""


def owner_of(name: str) -> tuple[str, str]:
    """Split "rf: score" into the table it is from and its own name."""
    owner, between, own = name.partition(BETWEEN)
    return (owner, own) if between else ("", name)


def model_name(column: str) -> str:
    """Return what is left of a column's name without the words for predictions.

    >>> model_name("logreg_score"), model_name("score_A"), model_name("y_pred")
    ('logreg', 'A', '')
    >>> model_name("naive_bayes_score")
    'naive bayes'
    >>> model_name("model_A")
    'model_A'
    >>> model_name("rf: y_score")
    'rf'
    """
    owner, own = owner_of(column)
    if owner:
        return " ".join(filter(None, (owner, model_name(own))))
    words = pieces(column)
    if words[:1] == ("model",) and len(words) > 1 and not _spoken(words[1:]):
        return column
    kept = [word for word in words if word.lower() not in PREDICTION | LABEL | SCORE | FILLER]
    return " ".join(kept)


def names_nothing(model: str, words: Sequence[str] = ()) -> bool:
    """Tell whether a model's name only says that something is predicted, as its column's may.

    `words` are what is predicted: the classes, or the column of the truth.

    >>> names_nothing("y_pred"), names_nothing("p_fraud", ["honest", "fraud"])
    (True, True)
    >>> names_nothing("income_pred", ["income"]), names_nothing("logreg_score")
    (True, False)
    """
    left = model_name(model)
    return not left or plain(left) in map(plain, words)


def speaks_of_prediction(column: str) -> bool:
    """Tell whether a column's name says that it holds predictions.

    >>> speaks_of_prediction("y_score"), speaks_of_prediction("model_A")
    (True, True)
    >>> speaks_of_prediction("income")
    False
    """
    words = pieces(owner_of(column)[1])
    return bool({word.lower() for word in words} & (PREDICTION | SCORE)) or names_model(words)


def _spoken(words: Iterable[str]) -> bool:
    return any(word.lower() in PREDICTION | LABEL | SCORE for word in words)


def names_model(words: Sequence[str]) -> bool:
    """Tell whether a column is called "model_A": a model by a name that is no column's."""
    return len(words) > 1 and words[0] == "model" and "_".join(words) not in MODEL


def about_class(name: str, classes: Sequence[str]) -> tuple[str, str] | None:
    """Return the class a column is named after, and the model; the longest class name wins.

    Of names as long as each other, the one that is spelt as the class is goes first.

    >>> about_class("prob_Non_Fraud", ["Fraud", "Non Fraud"])
    ('Non Fraud', '')
    >>> about_class("rf_p_yes", ["Yes", "yes"]), about_class("Yes", ["no", "yes"])
    (('yes', 'rf'), ('yes', ''))
    """
    bare = re.sub(r" \(column \d+\)'*$", "", name).strip()
    found: list[tuple[int, int, str, str]] = []
    for spelling, written in enumerate(_SPELLINGS):
        told = written(bare)
        for of in classes:
            ending = written(of)
            stem = bare[: len(bare) - len(ending)]
            if told == ending or (told.endswith(ending) and _names_probability(stem, of)):
                found.append((-len(ending), spelling, of, model_name(stem.rstrip(_SEPARATORS))))
    return min(found, key=lambda one: one[:2])[2:] if found else None


def _names_probability(stem: str, of: str) -> bool:
    """Tell whether "prob_", "p" (of a number), "logreg_p_" ... stand before the class."""
    if not stem or not of:
        return False
    if stem[-1] not in _SEPARATORS:
        return stem.lower() in ("p", "prob", "proba") and of.isdigit()
    words = [word.lower() for word in pieces(stem.rstrip(_SEPARATORS))]
    return any(word in SCORE | PREDICTION for word in words)

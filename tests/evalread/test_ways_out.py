"""No dead end: each question and refusal says or offers what ends it, and offers lead on."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import evalread
from evalboard.arguments import choices_asked, told
from evalcore.errors import EvalError
from evalread.dataset import Choices, Dataset, apply_offer
from evalread.loading import load
from evalread.notices import sayings
from tests.evalread.files import csv, refused

ROOM = Path(evalread.__file__).parent
ADVICE = re.compile(
    r"\b(Add|Choose|Compare|Copy|Divide|Enter|Fill|Format|Give|Install|Keep|Leave|Name|Open|Pack|Put|"
    r"Judge|Let|Make|Remove|Run|Save|Split|Unpack|Write|add|choose|enter|export|keep|leave|make|name|open|save|write)\b"
)
"""Words that tell a reader what to do."""

SELF_EXPLAINING = {
    *("no-such-column", "no-such-class", "no-such-label", "no-such-sheet", "no-source", "no-file"),
    *("unknown-role", "bad-role", "empty", "header-only", "cancelled"),
    *("no-such-table", "no-such-source", "bad-source", "bad-settings", "source-empty"),
    *("source-failed", "unwritable-file"),  # these pass on what the system or the engine says
}
"""What was chosen is not there, and the message says what is; or nothing at all is there."""


def raised() -> Iterator[tuple[str, str, bool]]:
    """Yield the code, the texts of the function round it, and whether it has offers or a column."""
    for path in sorted(ROOM.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            for call in ast.walk(function):
                if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
                    continue
                first = call.args[0] if call.args else None
                if not isinstance(first, ast.Constant):
                    continue
                named = {one.arg for one in call.keywords}
                if call.func.id == "refusal":
                    said = sayings()[first.value]
                    offers = bool(said.offer or named & {"offers", "column"})
                    yield first.value.partition("/")[0], said.sentence, offers
                if call.func.id != "EvalError":
                    continue
                parts = (n.value for n in ast.walk(function) if isinstance(n, ast.Constant))
                texts = " ".join(part for part in parts if isinstance(part, str))
                yield str(first.value), texts, bool(named & {"offers", "column"})


def test_every_refusal_says_what_to_do_or_has_a_choice_that_ends_it() -> None:
    dead_ends = [
        (code, texts[-200:])
        for code, texts, offers in raised()
        if code not in SELF_EXPLAINING
        and not offers
        and not choices_asked(EvalError(code, ""))
        and not ADVICE.search(texts)
    ]
    assert not dead_ends


ROWS = range(12)
FILES = {
    "no truth": "lang_label,pred_label,pred_prob\n"
    + "".join(f"{'abc'[k % 3]},{'xyz'[k % 3]},0.{k + 10}\n" for k in ROWS),
    "three labels and one score": "gold_label,toxic_score\n"
    + "".join(f"{['clean', 'toxic', 'unclear'][k % 3]},0.{k + 10}\n" for k in ROWS),
    "several numbers": "truth,width,length\n"
    + "".join(f"{k * 1.5},{k * 2.25 + 1},{k * 0.75 + 3}\n" for k in ROWS),
    "words for a weight": "truth,pred,weight\n"
    + "".join(f"{k % 2},{k % 2},{-1 if k == 3 else 1}\n" for k in ROWS),
    "other labels": "truth,predicted\n"
    + "".join(f"{['a', 'b'][k % 2]},{['x', 'y'][k % 2]}\n" for k in ROWS),
    "signs and bits": "truth,pred\n" + "".join(f"{k % 2},{k % 2 * 2 - 1}\n" for k in ROWS),
    "an infinite score": "truth,score_a,score_b\n"
    + "".join(f"{k % 2},{'inf' if k == 3 else 0.5 + k},{k % 5 / 5}\n" for k in ROWS),
    "text for a score": "truth,score_a,score_b\n"
    + "".join(f"{k % 2},{'high' if k == 3 else 0.5 + k},{k % 5 / 5}\n" for k in ROWS),
    "no numbers in the truth": "truth,pred\n"
    + "".join(f"{['', 'x'][k % 2]},{['y', ''][k % 2]}\n" for k in ROWS),
}


def read(text: str, choices: Choices) -> Dataset | EvalError:
    try:
        return load([csv(text)], choices)
    except EvalError as problem:
        return problem


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_every_offer_leads_on(text: str) -> None:
    problem = read(text, Choices())
    assert isinstance(problem, EvalError)
    assert problem.offers, problem.message
    reached = [read(text, apply_offer(offer, Choices())) for offer in problem.offers]
    for offer, found in zip(problem.offers, reached, strict=True):
        if isinstance(found, EvalError):
            assert found.message != problem.message, offer
    assert "--" in told(problem)


def test_at_least_one_offer_of_most_refusals_ends_in_a_reading() -> None:
    read_in_the_end = 0
    for text in FILES.values():
        problem = read(text, Choices())
        assert isinstance(problem, EvalError)
        found = (read(text, apply_offer(offer, Choices())) for offer in problem.offers)
        read_in_the_end += any(isinstance(each, Dataset) for each in found)
    assert read_in_the_end >= 6


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"positive": "maybe"}, "no-such-class"),
        ({"order": ("a",), "task": None}, "bad-order"),
        ({"scores": {"": "logit"}}, "not-probability"),
    ],
)
def test_a_choice_that_cannot_be_kept_comes_with_those_that_can(said, code) -> None:
    from evalread.dataset import Scale

    texts = {
        "no-such-class": "truth,pred\nyes,no\nno,no\nyes,yes\n",
        "bad-order": "truth,pred\na,b\nb,b\nc,c\n",
        "not-probability": "truth,logit\n1,3.5\n0,-2\n1,0.5\n0,0.1\n",
    }
    choices = {**said, "scale": Scale.PROBABILITY} if code == "not-probability" else said
    problem = refused(texts[code], **choices)
    assert problem.code == code
    found = [read(texts[code], apply_offer(one, Choices(**choices))) for one in problem.offers]
    assert any(isinstance(each, Dataset) for each in found)


def test_an_option_is_written_as_it_is_typed() -> None:
    problem = refused("gold,s\nx,0.1\ny,0.2\nz,0.7\nx,0.9\n", task=None, truth="gold")
    assert "--ignore-label LABEL" in told(problem)

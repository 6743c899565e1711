"""What each answer to a question leads to is shown before it is given."""

import pytest

from evalcore.errors import EvalError, Offer
from evalread.dataset import NO_CHOICES, Table, apply_offer
from evalread.detection.roles import detect
from evalread.loading import load, read
from evalread.previews import MOST_COLUMNS, MOST_ROWS, Preview, preview

# Two columns of labels, and a score that ranks the first without, the second with one mistake.
QUESTION = b"left,right,p\na,x,0.9\nb,x,0.2\na,y,0.8\nb,y,0.1\n"


def table(data: bytes = QUESTION) -> Table:
    return read("p.csv", data)


def asked(data: bytes = QUESTION) -> tuple[Offer, ...]:
    with pytest.raises(EvalError) as caught:
        detect(table(data))
    return caught.value.offers


def shown(offer: Offer, data: bytes = QUESTION) -> Preview:
    found = preview(table(data), NO_CHOICES, offer)
    assert found is not None
    return found


def test_each_answer_has_its_roles_first_rows_and_number() -> None:
    left, right = (shown(offer) for offer in asked())
    assert [found.dataset.roles.truth for found in (left, right) if found.dataset] == [
        "left",
        "right",
    ]
    # b scores 0.1 and 0.2, a 0.8 and 0.9: b, the second class, always ranks last.
    assert left.numbers[0].name == "ROC AUC"
    assert left.numbers[0].value == 0.0
    # Of four pairs of y and x, (0.8, 0.2) alone is in order.
    assert right.numbers[0].value == 0.25
    assert left.rows[0] == {"truth": "a", "p": "0.9"}
    assert right.rows[0] == {"truth": "x", "p": "0.9"}


def test_a_preview_shows_what_the_answer_leads_to() -> None:
    for offer in asked():
        found = shown(offer).dataset
        assert found is not None
        assert found.digest == load([("p.csv", QUESTION)], apply_offer(offer, NO_CHOICES)).digest


def test_an_answer_that_leads_nowhere_says_why() -> None:
    found = shown(Offer("p is the truth", "truth", "nowhere"))
    assert found.dataset is None
    assert found.problem is not None
    assert found.problem.code == "no-such-column"


def test_a_column_that_holds_counts_can_be_ignored_once_the_file_is_read() -> None:
    rows = b"truth,pred,count\nyes,yes,5\nyes,no,3\nno,no,9\nno,yes,1\n"
    found = shown(Offer('Ignore "count"', "ignore", "count"), rows)
    assert found.problem is None
    assert found.numbers[0].value == 0.5
    assert shown(Offer("As it is", "weight", "count"), rows).numbers[0].value == 14 / 18


def test_a_long_table_is_looked_at_in_part_and_a_wide_one_not_at_all() -> None:
    rows = QUESTION.split(b"\n", 1)
    long = rows[0] + b"\n" + rows[1] * 2000
    found = shown(asked()[0], long)
    assert found.dataset is not None
    assert not found.whole
    assert found.dataset.table.n == MOST_ROWS
    wide = b",".join(b"c%d" % k for k in range(MOST_COLUMNS + 1))
    many = table(wide + b"\n" + wide + b"\n")
    assert preview(many, NO_CHOICES, Offer("", "truth", "c1")) is None


@pytest.mark.parametrize(
    ("data", "offer", "name", "value", "row"),
    [
        (
            b"y,pred\n1.5,2\n2.5,4\n",
            Offer("", "truth", "y"),
            "Mean absolute error",
            1.0,
            {"truth": "1.5", "pred": "2"},
        ),
        (
            b"y,pred\na,a\nb,b\nc,b\n",
            Offer("", "truth", "y"),
            "Accuracy",
            2 / 3,
            {"truth": "a", "pred": "a"},
        ),
        (
            b"y,p_a,p_b,p_c\na,.7,.2,.1\nb,.1,.2,.7\nc,.1,.2,.7\n",
            Offer("", "truth", "y"),
            "Accuracy",
            2 / 3,
            {"truth": "a", "model": "a"},
        ),
    ],
)
def test_every_task_has_its_number(
    data: bytes, offer: Offer, name: str, value: float, row: dict[str, str]
) -> None:
    found = shown(offer, data)
    assert found.numbers[0].name == name
    assert found.numbers[0].value == pytest.approx(value)
    assert found.rows[0] == row

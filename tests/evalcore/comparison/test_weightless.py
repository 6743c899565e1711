"""Rows of weight 0 are no rows to a comparison either."""

import pytest

from evalboard.serialise import comparison
from evalcore.compare import compare
from evalcore.errors import EvalError
from evalcore.options import Options
from evalread.loading import load

RANKED = """y_true,a_score,b_score,weight
0,.1,.2,1
1,.4,.3,1
0,.6,.5,1
1,.9,.8,1
"""
DECIDED = """y_true,a_pred,b_pred,weight
0,1,1,1
1,0,1,2
0,0,1,1
1,1,0,1
"""
NUMBERS = """y_true,a_pred,b_pred,weight
1.5,1.2,1.9,1
2.5,2.2,2.4,2
3.5,3.9,3.1,1
5.5,5.6,5.1,1
"""


@pytest.mark.parametrize(
    ("text", "row"),
    [(RANKED, "1,.05,.1,0"), (RANKED, "0,.95,.91,0"), (DECIDED, "1,0,0,0"), (NUMBERS, "9,1,1,0")],
    ids=["lowest positive", "highest negative", "labels", "numbers"],
)
def test_a_row_of_weight_0_changes_nothing(text: str, row: str) -> None:
    made, told = (
        comparison(compare(load([("p.csv", said.encode())]), Options()))
        for said in (text + row + "\n", text)
    )
    assert {**made, "notices": []} == {**told, "notices": []}


def test_models_that_share_only_rows_of_weight_0_are_judged_apart() -> None:
    rows = "1.5,1.2,,1\n2.5,2.2,2.4,0\n3.5,,3.2,1\n4.5,4.2,,1\n5.5,,5.1,1\n"
    made = compare(load([("p.csv", f"y_true,a_pred,b_pred,weight\n{rows}".encode())]), Options())
    assert "independent-rows" in {notice.code for notice in made.notices}


def test_where_every_row_has_weight_0_nothing_is_compared() -> None:
    text = "y_true,a_pred,b_pred,weight\n0,1,1,0\n1,0,1,0\n0,0,1,0\n1,1,1,0\n"
    with pytest.raises(EvalError, match='weight 0 in column "weight"'):
        compare(load([("p.csv", text.encode())]), Options())

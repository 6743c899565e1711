"""Tables to train on: which columns are features, and what is said of tables that allow none."""

import numpy as np
import pytest

from evalcore.errors import EvalError
from evalread import loading
from evalread.dataset import Table
from evalview.lab.tables import BUNDLED, aims, training_table


def read(*lines: str) -> Table:
    return loading.read("table.csv", "\n".join(lines).encode())


def test_columns_become_numbers_and_categories_and_ids_are_left_out() -> None:
    rows = [
        f"{at + 1},2024-01-{at % 28 + 1:02d},{'' if at == 4 else at * 0.5},{'xyz'[at % 3]},7,"
        f"note number {at},{'yes' if at % 4 else 'no'}"
        for at in range(80)
    ]
    table = training_table(read("id,day,age,kind,same,note,churned", *rows), "churned", "classes")
    assert table.columns == ("age", "kind")
    assert np.isnan(table.numbers[4, 0])
    assert table.levels == (("x", "y", "z"),)
    assert {one.column: one.why for one in table.left} == {
        "id": "names the rows",
        "day": "dates or times",
        "same": "the same in every row",
        "note": "text of 80 distinct values",
    }
    assert table.classes == ("no", "yes")
    assert table.truth.sum() == 60


def test_rows_without_a_target_are_left_out_and_counted() -> None:
    rows = [f"{at * 1.5},{'' if at % 10 == 0 else 'ab'[at % 2]}" for at in range(40)]
    table = training_table(read("x,target", *rows), "target", "classes")
    assert (table.n, table.no_target) == (36, 4)
    assert table.row[:3].tolist() == [2, 3, 4]


def test_a_thousand_columns_are_a_thousand_features() -> None:
    rng = np.random.default_rng(0)
    names = ",".join(f"x{at}" for at in range(1000))
    rows = [",".join(f"{v:.3f}" for v in rng.normal(size=1000)) + f",{at % 2}" for at in range(30)]
    table = training_table(read(f"{names},target", *rows), "target", "classes")
    assert len(table.columns) == 1000


def many(values: list[str]) -> Table:
    return read("x,target", *(f"{at * 0.3:.1f},{value}" for at, value in enumerate(values)))


REFUSED = {
    "one class": (many(["a"] * 20), 'the class "a" in every row'),
    "three rows": (many(["a", "b", "a"]), "3 rows, which is too few"),
    "a target of 5,000 texts": (
        many([f"text {at}" for at in range(5_000)]),
        "5,000 distinct values",
    ),
    "a constant column alone": (
        read("x,target", *(f"1,{'ab'[at % 2]}" for at in range(20))),
        "x: the same in every row",
    ),
    "no value at all": (many([""] * 20), "0 rows, which is too few"),
}


@pytest.mark.parametrize("case", list(REFUSED))
def test_a_table_that_allows_no_training_is_refused_in_words(case: str) -> None:
    table, said = REFUSED[case]
    with pytest.raises(EvalError, match=said):
        training_table(table, "target", "classes")


def test_numbers_too_large_to_scale_are_left_out_or_refused() -> None:
    rows = [f"{at}.5,{'1e200' if at == 3 else at % 7},{at * 0.31:.2f}" for at in range(30)]
    table = training_table(read("x,big,target", *rows), "target", "numbers")
    assert [one.column for one in table.left] == ["big"]
    with pytest.raises(EvalError, match="beyond 1e100"):
        training_table(read("x,target,y", *rows), "target", "numbers")


def test_a_target_is_classes_or_a_number() -> None:
    rows = [f"{at * 0.5},{at % 3},{'ab'[at % 2]}" for at in range(60)]
    table = read("price,grade,word", *rows)
    assert aims(table, "price") == ("numbers", "classes")
    assert aims(table, "grade") == ("classes", "numbers")
    assert aims(table, "word") == ("classes",)
    assert training_table(table, "grade", "classes").classes == ("0", "1", "2")


def test_rows_without_a_group_are_groups_of_their_own() -> None:
    rows = [f"{at * 0.5},{'' if at < 2 else f'p{at // 4}'},{at % 2}" for at in range(20)]
    table = training_table(read("x,who,target", *rows), "target", "classes", group="who")
    assert "who" not in table.columns
    assert table.group is not None
    assert len(np.unique(table.group[:4])) == 3


def test_the_bundled_tables_are_those_of_scikit_learn() -> None:
    shapes = {key: (make().n, len(make().columns), len(make().classes))
              for key, make in BUNDLED.items()}  # fmt: skip
    assert shapes == {
        "iris": (150, 4, 3),
        "breast-cancer": (569, 30, 2),
        "wine": (178, 13, 3),
        "digits": (1797, 64, 10),
        "diabetes": (442, 10, 0),
    }

import numpy as np
import pandas as pd
import pytest

from evalcore.compare import compare
from evalcore.comparison.headline import needed
from evalcore.comparison.power import OwnRows, from_discordance, from_error, from_own_rows
from evalcore.options import Options
from evalread.loading import load


def test_rows_needed_by_hand():
    # (1.96 + 0.8416)^2 = 7.849; the error of 500 rows is half of the difference.
    assert from_error("roc_auc", 0.02, 0.01, 500).rows_needed == int(np.ceil(500 * 7.8489 / 4))


def test_a_difference_as_large_as_the_smallest_one_needs_just_these_rows():
    smallest = from_error("rmse", 1.0, 0.4, 300).smallest_difference

    assert from_error("rmse", smallest, 0.4, 300).rows_needed in (300, 301)


def test_the_same_holds_for_accuracies():
    made = from_discordance(30, 45, 600)
    half = made.smallest_difference * 600 / 2

    again = from_discordance(37.5 - half, 37.5 + half, 600)
    assert again.rows_needed in (600, 601)


def test_the_power_is_reached_in_simulated_data():
    made = from_discordance(60, 90, 1000)
    rng, n = np.random.default_rng(0), made.rows_needed
    cells = rng.multinomial(n, [0.06, 0.09, 0.85], size=4000)
    b, c = cells[:, 0], cells[:, 1]
    shown = (b - c) ** 2 / (b + c) > 3.841459

    assert shown.mean() == pytest.approx(0.8, abs=0.02)


@pytest.mark.parametrize(
    "made",
    [
        from_error("roc_auc", 0.1, 0.0, 50),
        from_error("roc_auc", 0.1, float("nan"), 50),
        from_error("roc_auc", float("nan"), 0.1, 50),
        from_discordance(0, 0, 50),
    ],
)
def test_nothing_is_said_where_nothing_tells_how_the_difference_varies(made):
    assert made.rows_needed is None
    assert made.smallest_difference is None


def test_equal_models_would_take_no_number_of_rows():
    assert from_discordance(5, 5, 50).rows_needed is None
    assert from_discordance(5, 5, 50).smallest_difference > 0


def test_few_discordant_rows_could_not_have_shown_anything():
    assert from_discordance(0, 1, 6).smallest_difference is None


def test_no_number_of_rows_is_named_where_it_would_be_beyond_all_numbers() -> None:
    assert from_error("rmse", 1e-200, 1e160, 12).rows_needed is None
    assert from_error("rmse", 0.0, 1.0, 12).rows_needed is None


def test_rows_are_first_asked_for_where_a_model_has_fewer() -> None:
    own = OwnRows(0.2, (0.25 / 30, 0.24 / 5000), (30, 5000))
    made = from_own_rows("accuracy", own)

    reached = 0.25 / made.rows_needed + 0.24 / 5000
    assert made.rows_now == 30
    assert reached == pytest.approx((0.2 / 2.8016) ** 2, rel=0.02)


def test_both_models_get_more_rows_where_those_of_one_do_not_suffice() -> None:
    made = from_own_rows("accuracy", OwnRows(0.02, (0.16 / 400, 0.2 / 600), (400, 600)))

    assert made.rows_needed == pytest.approx((0.16 + 0.2) * (2.8016 / 0.02) ** 2, abs=2)


def test_models_on_as_many_rows_of_their_own_need_as_many_again() -> None:
    made = from_own_rows("accuracy", OwnRows(0.1, (0.16 / 50, 0.2 / 50), (50, 50)))

    assert made.rows_needed == pytest.approx((0.16 + 0.2) * (2.8016 / 0.1) ** 2, abs=1)
    assert made.smallest_difference == pytest.approx(2.8016 * np.sqrt(0.36 / 50), rel=1e-4)


def labels(*right: int, n: int = 100) -> bytes:
    """Return a file of models that are right on the first so many rows."""
    head = ",".join(["truth", *(f"m{place}_label" for place in range(len(right)))])
    rows = (",".join(["y", *("y" if row < k else "n" for k in right)]) for row in range(n - 1))
    return "\n".join([head, *rows, ",".join("n" * (len(right) + 1))]).encode()


def scattered(*right: float, n: int = 100) -> bytes:
    """Return a file of models that are right on such shares of the rows, here and there."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, n)
    told = {f"m{k}_label": (truth + (rng.random(n) > share)) % 2 for k, share in enumerate(right)}
    return pd.DataFrame({"truth": truth} | told).to_csv(index=False).encode()


def compared(content: bytes):
    return compare(load([("f.csv", content)]), Options(resamples=100))


def test_what_all_pairs_share_makes_each_harder_to_show() -> None:
    two, five = compared(scattered(0.8, 0.8)), compared(scattered(0.8, 0.8, 0.3, 0.2, 0.2))

    assert (two.sample_size.pairs, five.sample_size.pairs) == (1, 10)
    assert five.sample_size.smallest_difference > two.sample_size.smallest_difference
    assert "would show in 8 of 10 files of 100 rows, allowing for 10 pairs; a smaller" in needed(
        five
    )


def test_where_it_is_settled_nothing_is_said_of_settling_it() -> None:
    settled, tied = compared(scattered(0.9, 0.4)), compared(scattered(0.8, 0.8))

    assert settled.verdict.winner
    assert settled.sample_size.smallest_difference
    assert needed(settled) == ""
    assert tied.verdict.winner is None
    assert needed(tied).startswith("A true difference of 0.")


def test_where_nothing_can_be_concluded_no_number_of_rows_is_promised() -> None:
    made = compared(labels(6, 3, n=7))

    assert "too few" in made.summary
    assert made.sample_size is None
    assert needed(made) == ""


def test_no_fewer_rows_are_asked_for_than_anything_is_concluded_from() -> None:
    made = compared(labels(98, 10))

    assert made.sample_size.rows_needed == 10

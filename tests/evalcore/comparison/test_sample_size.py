import numpy as np
import pytest

from evalcore.comparison.rows import from_discordance, from_error


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

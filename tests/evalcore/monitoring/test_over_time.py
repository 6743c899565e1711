"""A data set with dates, looked at by day, week or month."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import evalcore as ec
from evalcore.monitoring.results import periods


def made(n=4000, days=140, drop=0.0, from_day=90, seed=0, share=0.9):
    """Return rows over some days, of which a share is right, and less from one day on."""
    rng = np.random.default_rng(seed)
    day = np.sort(rng.integers(0, days, n))
    truth = rng.integers(0, 2, n)
    right = rng.random(n) < np.where(day < from_day, share, share - drop)
    return pd.DataFrame(
        {
            "day": (np.datetime64("2024-01-01") + day).astype(str),
            "truth": np.where(truth == 1, "yes", "no"),
            "pred": np.where(right == (truth == 1), "yes", "no"),
        }
    )


def test_a_drop_is_flagged_with_its_week():
    found = ec.over_time(made(drop=0.12), metric="accuracy")
    assert found.change is not None
    assert not found.change.higher
    assert found.change.worse
    # The drop began on day 90, 2024-03-31, the last day of a week.
    assert found.start[found.change.since] in ("2024-03-25", "2024-04-01")
    assert found.change.value.value < found.reference.value
    assert "lower since the week of 2024-0" in repr(found)


def test_without_a_change_nothing_is_flagged():
    found = ec.over_time(made(), metric="accuracy", every="day")
    assert found.change is None
    assert "no change flagged" in repr(found)


def test_each_period_is_what_its_own_rows_say():
    frame = made(600, days=80)
    found = ec.over_time(frame, every="month", metric="recall", first=1)
    for place, month in enumerate(found.start):
        own = frame[frame.day.str.startswith(month[:7])]
        alone = ec.estimate("recall", own.truth, own.pred)
        assert found.metric.each[place] == alone
        assert found.rows[place] == len(own)
    whole = ec.estimate("recall", frame.truth, frame.pred)
    assert found.metric.running[-1].value == pytest.approx(whole.value)
    assert found.metric.running[-1].low < whole.low
    share = (frame.truth == "yes").mean()
    assert found.others[0].running[-1].value == pytest.approx(share)


@given(st.integers(0, 100))
def test_the_order_of_rows_does_not_matter(seed):
    frame = made(400, days=60, drop=0.3, from_day=30)
    first = ec.over_time(frame, metric="accuracy").to_dict()
    second = ec.over_time(frame.sample(frac=1, random_state=seed), metric="accuracy").to_dict()
    assert second == first


def test_a_stated_reference_and_the_first_periods():
    frame = made(drop=0.12)
    stated = ec.over_time(frame, metric="accuracy", reference=0.9)
    assert (stated.first, stated.reference.value, stated.looks) == (0, 0.9, len(stated.start))
    asked = ec.over_time(frame, metric="accuracy", first=4)
    assert asked.looks == len(asked.start) - 4
    right = frame[frame.day < "2024-01-29"]
    assert asked.reference.value == pytest.approx((right.truth == right.pred).mean())


def test_scores_of_every_kind_are_followed():
    frame = made(3000)
    rng = np.random.default_rng(3)
    pull = np.where(frame.day < "2024-03-31", 0.25, 0.1)
    frame["score"] = np.clip(
        rng.normal(0.4 + pull * (frame.truth == "yes"), 0.2), 0.01, 0.99
    ).round(4)
    frame = frame.drop(columns="pred")
    for key in ("accuracy", "recall", "f1", "mcc", "roc_auc", "brier", "log_loss"):
        found = ec.over_time(frame, truth="truth", score="score", metric=key)
        assert found.change is not None, key
        assert found.change.worse, key
        assert found.start[found.change.flagged] >= "2024-03-25", key
    assert [track.key for track in found.others] == ["prevalence", "score"]


def test_predicted_numbers_are_followed():
    rng = np.random.default_rng(2)
    day = np.sort(rng.integers(0, 100, 2000))
    truth = rng.normal(size=2000)
    error = rng.normal(size=2000) * np.where(day < 60, 1, 1.5)
    frame = pd.DataFrame(
        {
            "when": pd.Timestamp("2024-01-01") + pd.to_timedelta(day, "D"),
            "y": truth,
            "prediction": truth + error,
        }
    )
    for key in ("mae", "rmse"):
        found = ec.over_time(frame, truth="y", prediction="prediction", metric=key, every="day")
        assert found.change is not None
        assert (found.change.higher, found.change.worse) == (True, True)
        assert found.start[found.change.flagged] >= "2024-03-01"


def test_groups_are_kept_together_and_those_in_several_periods_are_told():
    frame = made(1200, days=60)
    frame["patient"] = np.arange(1200) // 4
    found = ec.over_time(frame, metric="recall", group="patient")
    alone = ec.over_time(frame, metric="recall")
    assert found.metric.each[0].value == pytest.approx(alone.metric.each[0].value)
    assert found.metric.each[0].method == "t"
    assert "groups-over-time" in {one.code for one in found.notices}
    with pytest.raises(ec.EvalError, match="depend on each other"):
        ec.over_time(frame, metric="f1", group="patient")


def test_a_period_of_one_class_is_undefined_and_stops_nothing():
    frame = made(1000, days=70)
    week = (frame.day >= "2024-02-05") & (frame.day < "2024-02-12")
    frame = frame[~(week & (frame.truth == "yes"))]
    found = ec.over_time(frame, metric="recall")
    place = found.start.index("2024-02-05")
    assert np.isnan(found.metric.each[place].value)
    assert found.metric.each[place].why
    assert np.isnan(found.up.value[place])
    assert found.looks == len(found.start) - found.first - 1


def test_one_row_a_day_is_followed():
    frame = made(200, days=400, share=0.8)
    frame = frame.drop_duplicates("day")
    found = ec.over_time(frame, metric="accuracy", every="day", first=60)
    assert found.looks == len(frame) - 60
    assert found.metric.each[0].low is not None


def test_ten_thousand_days_are_followed():
    days = np.datetime64("1995-01-01") + np.arange(10_000)
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"day": days.astype(str), "truth": rng.integers(0, 2, 10_000)})
    frame["pred"] = np.where(rng.random(10_000) < 0.9, frame.truth, 1 - frame.truth)
    found = ec.over_time(frame, metric="accuracy", every="day", truth="truth", label="pred")
    assert len(found.start) == 10_000
    assert "plan-used-up" in {one.code for one in found.notices}


@pytest.mark.parametrize(
    ("change", "asked", "code"),
    [
        (lambda f: f.assign(day="2024-01-01"), {}, "one-period"),
        (lambda f: f.assign(day=""), {"date": "day"}, "no-dates"),
        (lambda f: f.drop(columns="day"), {}, "no-date"),
        (lambda f: f.assign(day="05/31/24"), {}, "no-date"),
        (lambda f: f.assign(day="05/31/24"), {"date": "day"}, "not-dates"),
        (lambda f: f.assign(day="2024-06-31"), {"date": "day"}, "not-dates"),
        (lambda f: f.assign(day=range(len(f))), {"date": "day"}, "not-dates"),
        (lambda f: f.assign(when=f.day), {}, "two-dates"),
        (lambda f: f, {"date": "when"}, "no-such-column"),
        (lambda f: f, {"every": "year"}, "bad-period"),
        (lambda f: f, {"first": 1000}, "short-reference"),
        (lambda f: f, {"first": 0}, "bad-reference"),
        (lambda f: f, {"reference": 1.5}, "bad-reference"),
        (lambda f: f, {"reference": float("nan")}, "bad-reference"),
        (lambda f: f, {"reference": 0.9, "first": 2}, "usage"),
        (lambda f: f, {"looks": 0}, "bad-looks"),
        (lambda f: f, {"error": 0.9}, "bad-error"),
        (lambda f: f, {"change": 0}, "bad-change"),
        (lambda f: f, {"metric": "ece"}, "not-monitored"),
        (lambda f: f, {"model": "other"}, "no-such-model"),
        (lambda f: f.head(20), {"every": "day"}, "short-reference"),
    ],
)
def test_what_cannot_be_followed_is_refused(change, asked, code):
    with pytest.raises(ec.EvalError) as refused:
        ec.over_time(change(made(300)), **{"metric": "accuracy", **asked})
    assert refused.value.code == code, str(refused.value)


def test_rows_without_a_date_days_to_come_and_time_zones_are_told():
    frame = made(600)
    frame.loc[3:5, "day"] = ""
    frame.loc[7, "day"] = "2999-01-01"
    told = {one.code: one for one in ec.over_time(frame, metric="accuracy").notices}
    assert told["no-date"].message.startswith("3 rows without a date are left out")
    assert told["future-dates"].message.startswith("1 row has a date after today")
    zoned = made(600)
    zoned["day"] += "T23:30:00-05:00"
    found = ec.over_time(zoned, metric="accuracy", every="day")
    assert found.start[0] == "2024-01-02"
    assert "utc-days" in {one.code for one in found.notices}


def test_the_result_is_a_frame_and_strict_json():
    found = ec.over_time(made(drop=0.12), metric="accuracy")
    frame = found.to_frame()
    assert len(frame) == len(found.start)
    assert set(frame.part) == {"reference", "", "changed"}
    json.dumps(found.to_dict(), allow_nan=False)
    assert "<table>" in found._repr_html_()


def test_weeks_begin_on_monday_and_months_on_the_first():
    day = np.array(["2024-02-29", "2024-03-03", "2024-03-04", "1969-12-31"], "datetime64[D]")
    weeks = periods(day, "week")
    assert weeks.start.astype(str).tolist() == ["1969-12-29", "2024-02-26", "2024-03-04"]
    assert weeks.codes.tolist() == [1, 1, 2, 0]
    months = periods(day, "month")
    assert months.start.astype(str).tolist() == ["1969-12-01", "2024-02-01", "2024-03-01"]

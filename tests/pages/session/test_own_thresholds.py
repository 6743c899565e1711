from hypothesis import given, strategies as st

from evalview.sharing import NONE, View, from_params, to_params


@given(
    st.none()
    | st.dictionaries(
        st.text("ab=:%é ", min_size=1, max_size=5), st.floats(allow_nan=False, allow_infinity=False)
    )
)
def test_the_thresholds_of_the_models_come_back_from_the_address(
    own: dict[str, float] | None,
) -> None:
    assert from_params(to_params(View("key", own=own))).own == own


def test_one_threshold_for_all_leaves_no_trace_and_none_chosen_yet_is_told_apart() -> None:
    assert to_params(View("key")) == {"data": ["key"]}
    assert to_params(View("key", own={}))["own-threshold"] == NONE


def test_what_is_no_number_is_no_threshold() -> None:
    params = {"data": ["key"], "own-threshold": ["a=0.3", "b=many", "c=nan", "d"]}
    assert from_params(params).own == {"a": 0.3}
    assert from_params({"data": ["key"], "own-threshold": ["x"]}).own is None

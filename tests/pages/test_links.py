"""What a page has in its address: short keys, kept from page to page; what is in vain is told."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import go

Opened = Callable[..., AppTest]


def told(at: AppTest) -> str:
    """Return what stands above the page about its link."""
    assert not at.exception
    return "\n".join(plain(warning.value) for warning in at.warning)


def plain(text: str) -> str:
    """Return a text without the marks that keep it from being Markdown."""
    return text.replace("\\", "").replace("\u2060", "")


@pytest.mark.parametrize(
    ("page", "asked", "said"),
    [
        ("comparison", {"metric": "nonsense"}, 'metric "nonsense"'),
        ("calibration", {"bins": "abc", "binning": "x"}, 'binning "x" and bins "abc"'),
        ("calibration", {"bins": "999"}, 'bins "999"'),
        ("overview", {"utm": "mail", "bins": "20"}, 'utm "mail" and bins "20"'),
        ("data", {"threshold": "abc", "metric": "f1"}, 'threshold "abc" and metric "f1"'),
        ("leaderboard", {"metrics": ["f1", "zzz"]}, 'metrics "zzz"'),
        ("confusion", {"actual": "nobody", "cells": "x"}, 'cells "x" and actual "nobody"'),
        ("costs", {"costs": "1,2", "prevalence": "-3"}, 'costs "1,2" and prevalence "-3"'),
        ("thresholds", {"curves": "roc,zzz"}, 'curves "zzz"'),
        ("glossary", {"metric": "zzz", "about": "x"}, 'about "x" and metric "zzz"'),
        ("roc_steps", {"step": "x", "most": "7"}, 'step "x" and most "7"'),
        ("distances", {"at": "standardise~perhaps"}, 'at "standardise~perhaps"'),
    ],
)
def test_what_a_link_asks_of_a_page_in_vain_is_told_once(
    page: str, asked: dict[str, str], said: str, loaded: Opened
) -> None:
    at = loaded(page, **asked)
    assert f"The link asks for {said}: not understood" in told(at)
    assert told(at.run()) == ""


@pytest.mark.parametrize(
    ("page", "asked"),
    [
        ("bootstrap", {"metric": "f1", "rope_f1": "0.02", "interval": "bca"}),
        ("comparison", {"metric": "roc_auc"}),
        ("calibration", {"bins": "20", "binning": "quantile"}),
        ("confusion", {"actual": "benign", "called": "malignant", "cells": "truth"}),
        ("costs", {"costs": "0,1,5,0", "prevalence": "3", "volume": "500"}),
        ("thresholds", {"costs": "0,1,5,0", "prevalence": "3", "volume": "500"}),
        ("thresholds", {"curves": "roc,det", "lines": "none"}),
        ("glossary", {"metric": "mcc", "find": "phi", "about": "counts"}),
        ("roc_steps", {"step": "3", "most": "20"}),
        ("distances", {"at": "standardise~yes~order~1~first~4"}),
    ],
)
def test_a_link_that_can_be_followed_is_not_remarked_on(
    page: str, asked: dict[str, str], loaded: Opened
) -> None:
    assert told(loaded(page, **asked)) == ""


def test_without_data_nothing_is_asked_in_vain(empty: Opened) -> None:
    assert told(empty("comparison", metric="f1")) == ""


def test_links_hold_keys_and_links_with_labels_still_work(loaded: Opened) -> None:
    at = loaded("calibration", binning="equal counts")
    assert at.selectbox(key="binning").value == "quantile"
    assert at.query_params["binning"] == "quantile"
    at.selectbox(key="binning").select("uniform").run()
    assert "binning" not in at.query_params
    at.selectbox(key="binning").select("quantile").run()
    assert at.query_params["binning"] == "quantile"


def test_a_choice_is_kept_on_the_next_page(loaded: Opened) -> None:
    at = loaded("comparison", metric="f1")
    at.query_params.pop("metric")
    go(at, "bootstrap")
    assert at.selectbox(key="metric").value == "f1"
    assert at.query_params["metric"] == "f1"


def test_the_browsers_way_back_leads_to_what_is_usual(loaded: Opened) -> None:
    at = loaded("comparison", metric="f1")
    at.query_params.pop("metric")
    assert at.run().selectbox(key="metric").value == "roc_auc"


def test_a_click_that_comes_before_the_browser_knows_the_new_address_undoes_nothing(
    loaded: Opened,
) -> None:
    at = loaded("calibration")
    before = dict(at.query_params)
    at.selectbox(key="binning").select("quantile").run()
    at.button_group(key="model_picked").set_value("random forest")
    for _ in range(2):  # the second click carries the first address, too
        at.query_params.clear()
        at.query_params.update(before)
        at.run()
        assert at.selectbox(key="binning").value == "quantile"
        assert at.query_params["binning"] == "quantile"
        assert at.query_params["shown"] == "random forest"


def test_none_at_all_is_a_choice_of_several(loaded: Opened) -> None:
    at = loaded("thresholds", sample="digits", classes="3")
    assert at.multiselect(key="classes").value == ["3"]
    at.multiselect(key="classes").set_value([]).run()
    assert at.query_params["classes"] == ""
    assert at.run().multiselect(key="classes").value == []


def test_a_link_may_call_the_model_to_show_a_model(loaded: Opened) -> None:
    at = loaded("calibration", model="random forest", positive="malignant", bins="5")
    assert not at.error
    assert told(at) == ""
    assert at.query_params["shown"] == "random forest"
    assert "model" not in at.query_params
    assert at.query_params["positive"] == "malignant"
    picked = [group.value for group in at.get("button_group") if group.label == "Model"]
    assert picked == ["random forest"]


def test_a_link_with_neither_such_a_column_nor_such_a_model_is_told_what_either_is(
    loaded: Opened,
) -> None:
    at = loaded("overview", model="forrest")
    (error,) = at.error
    said = plain(error.value)
    assert 'no column "forrest", which would name the model of each row' in said
    assert '"shown" is the model to show' in said
    assert told(at) == ""
    assert not at.run().error


@pytest.mark.parametrize("page", ["start", "data", "overview", "slices", "roc_steps", "glossary"])
@pytest.mark.parametrize("token", ["an-upload-of-last-week", "sample-of-an-older-version"])
def test_a_link_to_data_that_are_gone_says_so_once(empty: Opened, page: str, token: str) -> None:
    at = empty(page, data=token)
    assert not at.exception
    assert len(at.error) == 1
    assert "This data is no longer here" in at.error[0].value


def test_a_page_opens_after_one_that_had_a_box_of_the_same_name(loaded: Opened) -> None:
    at = loaded("overview")
    at.session_state["numbers"] = True  # an open part there, labels of cells here
    assert not go(at, "leaderboard").exception
    assert at.button_group(key="numbers").value in ("values", "leads", ["values"], ["leads"])

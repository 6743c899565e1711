import runpy
from collections.abc import Mapping
from pathlib import Path
from time import thread_time
from typing import Any

import numpy as np
import pytest

from evalcore.outcomes import NumericOutcomes
from evalread.dataset import Dataset
from evalread.detection.roles import explain
from evalread.loading import read
from evalread.tools import TOOLS
from tests.cases.files import CASES, Case, called, contents

from .files import codes, csv, jsonl, loaded, notice, refused

TOOL_FILES = [case for case in CASES if "tool" in (case.get("read") or {})]
BY_ROW = [case for case in CASES if "rows" in case]
USABLE = [case for case in TOOL_FILES if "expected_error" not in case]


@pytest.mark.parametrize("case", BY_ROW, ids=called)
def test_every_row_is_right_on_the_first_look(case: Case) -> None:
    data = loaded(*contents(case), positive=(case.get("params") or {}).get("positive"))
    assert data.roles.truth == case["columns"]["truth"]
    assert list(data.models) == list(case["rows"]["models"])
    for name, right in case["rows"]["models"].items():
        check_rows(data, name, case["rows"]["truth"], right)


def check_rows(data: Dataset, name: str, truth: list[Any], right: Mapping[str, Any]) -> None:
    outcomes = data.models[name]
    if isinstance(outcomes, NumericOutcomes):
        assert outcomes.truth.tolist() == truth
        assert outcomes.prediction.tolist() == right["score"]
        return
    assert [data.classes[code] for code in outcomes.truth] == truth
    said = outcomes.label
    labels = None if said is None else [data.classes[code] for code in said]
    assert labels == right.get("label")
    given = outcomes.score if data.roles.positive else outcomes.probabilities
    assert (given is None) == ("score" not in right)
    if given is not None:
        assert np.array(given) == pytest.approx(np.array(right["score"]), abs=1e-12)


@pytest.mark.parametrize("case", USABLE, ids=called)
def test_what_a_tool_means_is_told_once(case: Case) -> None:
    data = loaded(*contents(case))
    assert notice(data, "tool")
    assert all(reason for reason in data.roles.reasons.values())


def test_every_tool_has_a_case_that_proves_it() -> None:
    shown = {case["read"]["tool"] for case in TOOL_FILES}
    assert {signature.tool for signature in TOOLS} <= shown


def test_choices_win_over_what_a_tool_says() -> None:
    text = "row_ids,truth,response,prob.M,prob.R\n1,M,M,0.9,0.1\n2,R,M,0.6,0.4\n3,M,R,0.1,0.9\n"
    roles = loaded(text, truth="response", labels={"": "truth"}).roles
    assert roles.truth == "response"
    assert [model.label for model in roles.models.values()] == ["truth"]


def test_the_reason_for_a_role_names_the_tool() -> None:
    roles = loaded("row_ids,truth,response\n1,M,M\n2,R,M\n").roles
    assert roles.reasons["truth"].text == "as mlr3 writes it"


def test_a_class_that_appears_late_is_still_matched_by_its_label() -> None:
    def record(true: str, **probs: float) -> dict[str, object]:
        pairs = [{"label": label, "prob": prob} for label, prob in probs.items()]
        return {"y": true, "predicted_y": true, "predicted_y_probs": pairs}

    data = loaded(jsonl(record("a", a=1.0, b=0.0), record("c", c=0.5, a=0.25, b=0.25)))
    (model,) = data.models.values()
    assert data.classes == ("a", "b", "c")
    assert model.rows.tolist() == [2]
    assert "1 of 2 rows" in notice(data, "missing-probability")


def test_the_labels_of_a_threshold_of_its_own_are_said_to_be_and_it_is_used() -> None:
    file = contents(next(case for case in USABLE if case["read"]["tool"] == "DataRobot"))
    data = loaded(*file)
    assert notice(data, "own-threshold") == (
        'The threshold of DataRobot’s labels is "0.38"; it is used here until you choose another.'
    )
    assert data.threshold == 0.38
    assert loaded(*file, positive="False").threshold == 0.5
    assert loaded(*file, reverse=True).threshold == 0.5


def test_a_very_wide_table_is_looked_through_once_and_not_for_each_column() -> None:
    rows = [",".join(str(row * column % 3) for column in range(2000)) for row in range(9)]
    start = thread_time()
    assert refused("\n".join([",".join(f"c{k}" for k in range(2000)), *rows])).code == "ambiguous"
    assert thread_time() - start < 20  # all columns against all take minutes


@pytest.mark.parametrize(
    ("header", "truth"),
    [
        ("truth,fold,prediction_label,prediction_score", "truth"),
        ("y_true,sex,prediction_label,prediction_score", "y_true"),
        ("y,flag,Label,Score", "y"),
        ("id,bought,Label,Score", "bought"),
    ],
)
def test_a_target_of_pycaret_is_told_by_its_name_before_its_place(header: str, truth: str) -> None:
    rows = "0,1,0,0.9\n1,0,1,0.6\n2,0,0,0.7\n3,1,1,0.8\n"
    if truth != "bought":
        rows = rows.replace("2,", "0,").replace("3,", "1,")
    data = loaded(f"{header}\n{rows}")
    assert (data.table.source.tool, data.roles.truth) == ("PyCaret", truth)
    assert ("target-by-place" in codes(data)) == (truth == "bought")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("tall,wide,prediction_label\n1,0,1\n0,1,1\n1,1,0\n", "ambiguous"),
        ("price,area,prediction_label\n9.5,8.5,9.1\n4.5,5.5,4.2\n7,6.5,7.1\n", "ambiguous"),
        ("age,prediction_label,prediction_score\n41,0,0.9\n23,1,0.7\n35,0,0.8\n", "no-truth"),
    ],
)
def test_a_target_of_pycaret_that_nothing_tells_is_asked_for(text: str, code: str) -> None:
    assert refused(text).code == code


def test_a_score_below_one_half_is_not_that_of_the_predicted_one_of_two_labels() -> None:
    roles = loaded("age,smoker,Label,Score\n31,1,0,0.2\n25,0,1,0.4\n52,1,1,0.9\n44,0,0,0.6\n").roles
    assert (roles.truth, [model.label for model in roles.models.values()]) == ("Label", [None])


@pytest.mark.parametrize(
    ("header", "truth", "columns"),
    [
        ("truth,pred,PRE_1,PRE_2\n0,0,3.6,1.5\n1,0,4.9,8.0\n1,1,2.5,2.0\n", "truth", ["pred"]),
        ("y,model_score,PRE_1\n0,0.164,3\n1,0.404,6\n1,0.5,1\n", "y", ["model_score"]),
        ("truth,score,PRE_1\n0,0.164,0.67\n1,0.404,0.16\n", "truth", ["score"]),
        ("i_age,p_age1,truth,pred\n0,0.2,0,0\n0,0.4,1,0\n1,0.7,1,1\n", "truth", ["pred"]),
        ("age,i_age,p_age1,truth,pred\n1,0,0.2,0,0\n0,0,0.4,1,0\n", "truth", ["pred"]),
    ],
)
def test_columns_that_say_what_they_are_win_over_a_name_of_a_tool(
    header: str, truth: str, columns: list[str]
) -> None:
    data = loaded(header)
    assert (data.table.source.tool, data.roles.truth) == (None, truth)
    used = {column for model in data.roles.models.values() for column in model.columns}
    assert used >= set(columns)


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("BAD,credit_score,I_BAD,P_BAD1,P_BAD0\n1,9,1,0.9,0.1\n0,4,0,0.2,0.8\n", "SAS"),
        ("truth,I_BAD,P_BAD1,P_BAD0\n1,1,0.9,0.1\n0,0,0.2,0.8\n", "SAS"),
        ("risk,bad,PRE_1,PGR_1\n9,1,0.9,1\n4,0,0.2,0\n", "SPSS Statistics"),
    ],
)
def test_a_tool_is_known_beside_features_that_sound_like_scores(text: str, tool: str) -> None:
    assert loaded(text).table.source.tool == tool


def test_lists_of_different_lengths_are_refused() -> None:
    text = 'label,rawPrediction,probability,prediction\n0,"[1,2]","[0.5,0.5]",0\n1,"[1]","[1]",1\n'
    assert refused(text).code == "list-cells"


def test_the_formats_page_is_made_from_the_declarations() -> None:
    script = Path(__file__).parents[2] / "docs" / "make_formats.py"
    page = runpy.run_path(str(script))["page"]()
    assert script.with_name("formats.md").read_text(encoding="utf-8") == page


def test_a_tool_is_evidence_and_says_so() -> None:
    told, *more = explain(read(*csv("row_ids,truth,response\n1,M,M\n2,R,M\n")))
    assert (told.column, told.reason.text) == ("truth", "mlr3 writes it so")
    assert told.points > sum(one.points for one in more)


CATBOOST = "SampleId,Probability,Label,price,fitted,{}\n" + "".join(
    f"{k},0.{k}5,{k % 2},{price},{fitted},{gap}\n"
    for k, (price, fitted, gap) in enumerate([(9.5, 8, 1.5), (4, 5.25, -1.25), (7, 6.5, 0.5)])
)


def test_a_tool_that_is_met_by_chance_gives_way_to_proof() -> None:
    proved = loaded(CATBOOST.format("residual"))
    assert (proved.table.source.tool, proved.roles.truth) == (None, "price")
    assert "fitted" in {model.prediction for model in proved.roles.models.values()}
    other = loaded(CATBOOST.format("seconds"))
    assert (other.table.source.tool, other.roles.truth) == ("CatBoost", "Label")
    table = read(*csv(CATBOOST.format("residual")))
    assert explain(table)[0].reason.text.endswith("proves it")

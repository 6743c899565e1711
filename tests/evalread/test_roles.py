import pytest
from hypothesis import given, settings, strategies as st

from evalcore.errors import EvalError
from evalread.dataset import CHOSEN, Choices, Confidence, Scale, Task
from evalread.detection.clusters import unused
from evalread.detection.profile import Profile
from evalread.loading import load

from .files import loaded, notice, refused

GOLDEN = "tests/golden"


def test_names_tell_truth_and_score() -> None:
    roles = loaded("y_true,p\n1,0.9\n0,0.2\n").roles
    assert (roles.task, roles.truth) == (Task.BINARY, "y_true")
    assert roles.models["p"].score == "p"


@pytest.mark.parametrize(
    ("header", "truth"),
    [
        ("label,y_pred", "label"),
        ("Target,Predicted", "Target"),
        ("actual_class,class_pred", "actual_class"),
        ("clase,predicción", "clase"),
        ("income,predicted_income", "income"),
        ("income_true,income_pred", "income_true"),
        ("kind,guess,kind_pred", "kind"),
    ],
)
def test_truth_is_found_by_its_name(header: str, truth: str) -> None:
    width = header.count(",") + 1
    rows = [",".join([label] * width) for label in ("a", "b", "c", "a")]
    assert loaded("\n".join([header, *rows])).roles.truth == truth


def test_truth_is_found_by_the_columns_named_after_its_values() -> None:
    roles = loaded("port,S,C,Q\nS,0.5,0.3,0.2\nC,0.2,0.7,0.1\nQ,0.3,0.3,0.4\nS,0.6,0.4,0\n").roles
    assert (roles.truth, roles.task) == ("port", Task.MULTICLASS)
    assert dict(roles.models["model"].probabilities) == {"S": "S", "C": "C", "Q": "Q"}


def test_a_word_for_probability_is_no_name_of_a_model() -> None:
    rows = "a,0.5,0.25,0.25\nb,0.25,0.5,0.25\nc,0.25,0.25,0.5\n"
    assert set(loaded("truth,proba_a,proba_b,proba_c\n" + rows).models) == {"model"}
    assert set(loaded("truth,rf_proba_a,rf_proba_b,rf_proba_c\n" + rows).models) == {"rf"}


def test_a_column_without_a_role_is_named_as_unused() -> None:
    data = loaded("fold,truth,weight_kg,rf_score,rf_pred\n1,a,70,0.5,a\n1,b,80,0.25,b\n2,a,9,0,b\n")
    assert unused(data.table, data.roles) == ("weight_kg",)


def test_truth_is_found_as_the_one_column_of_labels() -> None:
    roles = loaded("match,distance\n1,0.8\n0,3.9\n1,1.1\n0,4.4\n").roles
    assert roles.truth == "match"
    assert "one column of labels" in roles.reasons["match"].text


def test_a_feature_with_a_faint_name_does_not_displace_the_truth() -> None:
    roles = loaded("class,survived,y_pred\n1st,no,no\n2nd,yes,no\n3rd,yes,yes\n").roles
    assert roles.truth == "survived"


def test_two_columns_that_could_be_the_truth_are_a_question() -> None:
    error = refused("left,right,score\na,b,0.5\nb,b,0.25\na,a,0.1\n")
    assert error.code == "ambiguous"
    assert '"left" or "right"' in error.message


def test_a_file_without_truth_names_its_columns_and_the_way_out() -> None:
    error = refused("id,score\n1,0.5\n2,0.25\n")
    assert error.code == "no-truth"
    assert '"score"' in error.message
    assert "add a second file" in error.message


def test_labels_that_nothing_predicts_are_no_question() -> None:
    error = refused("name,comment\nann,good\nbob,bad\nann,poor\nbob,bad\n")
    assert error.code == "no-predictions"
    assert 'No column looks like predictions. The columns are: "name", "comment".' in str(error)


def test_a_file_without_predictions_says_what_is_missing() -> None:
    error = refused("id,truth\n1,a\n2,b\n")
    assert error.code == "no-predictions"
    assert "a predicted label" in error.message


@pytest.mark.parametrize(
    "header",
    ["id", "row_id", "Unnamed: 0", "", "customer_id", "correct", "error", "residual", "date"],
)
def test_ids_dates_and_derived_columns_are_never_promoted(header: str) -> None:
    rows = "".join(f"{k},{k % 2},0.{k + 1}\n" for k in range(8))
    roles = loaded(f"{header},y,score\n{rows}").roles
    assert (roles.truth, list(roles.models)) == ("y", ["score"])


def test_columns_of_one_model_belong_together() -> None:
    roles = loaded(
        "y,rf_label,rf_score,svm_label,svm_score\nno,no,0.1,yes,0.6\nyes,yes,0.9,yes,0.7\n"
    ).roles
    assert {name: (m.label, m.score) for name, m in roles.models.items()} == {
        "rf": ("rf_label", "rf_score"),
        "svm": ("svm_label", "svm_score"),
    }


@pytest.mark.parametrize(
    ("header", "models"),
    [
        ("logreg_score,rf_score", ["logreg", "rf"]),
        ("score_A,score_B", ["A", "B"]),
        ("model_A,model_B", ["model_A", "model_B"]),
        ("p_rf,p_svm", ["rf", "svm"]),
        ("RF.prob,SVM.prob", ["RF", "SVM"]),
        ("score,proba", ["score", "proba"]),
        ("logistic,forest", ["logistic", "forest"]),
    ],
)
def test_models_are_told_apart_by_their_columns(header: str, models: list[str]) -> None:
    data = loaded(f"truth,{header}\n1,0.9,0.7\n0,0.2,0.3\n1,0.6,0.35\n")
    assert list(data.roles.models) == models
    assert all(model.n == 3 for model in data.models.values())


def test_features_beside_named_predictions_stay_features() -> None:
    roles = loaded("age,fare,y,y_score\n0.3,0.5,1,0.9\n0.2,0.1,0,0.4\n").roles
    assert list(roles.models) == ["y_score"]


def test_a_label_and_a_score_without_names_are_one_model() -> None:
    roles = loaded("target,pred_label,prediction\n1,1,0.72\n0,1,0.38\n0,0,0.1\n").roles
    assert {n: (m.label, m.score) for n, m in roles.models.items()} == {
        "prediction": ("pred_label", "prediction")
    }


def test_columns_are_not_compared_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def compared(one: Profile, other: object) -> bool:
        assert one is other, "This takes half a minute for 10,000 columns."
        return True

    monkeypatch.setattr(Profile, "__eq__", compared)
    assert list(loaded("y,a,b\n1,0.9,0.8\n0,0.2,0.3\n").models) == ["a", "b"]


def test_class_columns_are_matched_by_name_and_never_by_place() -> None:
    header = "label," + ",".join(f"prediction_{k}" for k in ("0", "1", "10", "2"))
    rows = "0,1,0,0,0\n10,0,0,1,0\n2,0,0,0,1\n1,0,1,0,0\n"
    data = loaded(f"{header}\n{rows}")
    (model,) = data.models.values()
    assert data.classes == ("0", "1", "2", "10")
    assert model.probabilities.argmax(axis=1).tolist() == model.truth.tolist()


def test_longer_class_names_win_over_their_endings() -> None:
    roles = loaded("truth,p_a,p_b_a\na,0.4,0.6\nb_a,0.3,0.7\n").roles
    assert dict(roles.models["model"].probabilities) == {"a": "p_a", "b_a": "p_b_a"}


@pytest.mark.parametrize(
    ("rows", "header", "positive", "reason"),
    [
        ("fraud,0.9\nlegit,0.2\nlegit,0.1", "actual,p_fraud", "fraud", "named in the score column"),
        ("fraud,0.9\nlegit,0.2\nlegit,0.1", "actual,p_legit", "legit", "named in the score column"),
        ("1,0.9\n0,0.2", "y,p", "1", "1 stands for yes"),
        ("2,0.9\n1,0.2", "y,p", "1", "1 stands for yes"),
        ("yes,0.9\nno,0.2", "y,p", "yes", '"yes" usually names the positive class'),
        ("TRUE,0.9\nFALSE,0.2", "y,p", "TRUE", '"TRUE" usually names the positive class'),
        ("A,0.9\nnormal,0.2", "y,p", "A", '"normal" is the ordinary case'),
        ("A,0.9\nB,0.2\nB,0.3", "y,p", "A", "the rarer class"),
        ("A,0.9\nB,0.2", "y,p", "B", "both are equally frequent; the second in sorted order"),
        ("-1,0.9\n1,0.2", "y,p", "1", "1 stands for yes"),
    ],
)
def test_the_positive_class_has_its_reason(
    rows: str, header: str, positive: str, reason: str
) -> None:
    roles = loaded(f"{header}\n{rows}\n").roles
    assert (roles.positive, roles.positive_reason.text) == (positive, reason)


def test_the_label_that_goes_with_high_scores_is_positive() -> None:
    roles = loaded("y,pred,score\nyes,no,0.9\nno,yes,0.2\nno,no,0.8\nyes,yes,0.1\n").roles
    assert (roles.positive, roles.positive_reason.text) == (
        "no",
        "the label with the higher scores",
    )


def test_a_chosen_positive_class_wins_and_is_last_in_the_matrix() -> None:
    data = loaded("y,p\n1,0.9\n0,0.2\n", positive="0")
    assert data.classes == ("1", "0")
    assert data.roles.positive_reason == CHOSEN
    assert loaded("y,p\n1,0.9\n0,0.2\n", positive="0.0").roles.positive == "0"


def test_a_positive_class_that_is_not_there_names_those_that_are() -> None:
    error = refused("y,p\n1,0.9\n0,0.2\n", positive="fraud")
    assert error.message == 'There is no class "fraud"; the classes are "0" and "1".'


def test_one_class_with_scores_is_binary_with_the_other_class_named() -> None:
    assert loaded("y_true,y_prob\n1,0.9\n1,0.8\n").classes == ("0", "1")
    assert loaded("y_true,y_prob\nno,0.9\nno,0.8\n").classes == ("no", "yes")
    assert loaded("y_true,y_prob\ncat,0.9\ncat,0.8\n").classes == ("cat", "not cat")


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("y,yhat\n7,7.5\n7,6.5\n7,7\n", Task.REGRESSION),
        ("actual,forecast\n0,1\n10,9\n20,25\n0,0\n5,4\n", Task.REGRESSION),
        ("y,pred\n1.5,1.2\n2.5,2.7\n", Task.REGRESSION),
        ("stars,pred\n1,1\n2,3\n3,3\n5,5\n", Task.MULTICLASS),
        (
            "digit,prediction_0,prediction_1,prediction_2\n0,1,0,0\n1,0,1,0\n2,0,0,1\n",
            Task.MULTICLASS,
        ),
        ("truth,pred\nok,ok\nok,ok\n", Task.MULTICLASS),
        ("truth,pred\n0,0.0\n1,1.0\n", Task.BINARY),
        ("y,p\n1,0.5\n0,0.4\n", Task.BINARY),
        ("x1,x2,cluster\n1,2,0\n2,1,1\n", Task.CLUSTERING),
        ("f1,f2,label\n0,0,0\n6,6,1\n-4,5,-1\n", Task.CLUSTERING),
    ],
)
def test_the_task_is_told_by_truth_and_predictions(text: str, task: Task) -> None:
    from evalread.detection.roles import detect
    from evalread.loading import read

    assert detect(read("a.csv", text.encode())).task is task


def test_fold_weight_group_and_id_are_found_with_reasons() -> None:
    roles = loaded(
        "row_id,y,score,fold,weight,group_sex\n1,1,0.9,1,2,f\n2,0,0.2,1,1,m\n3,0,0.3,2,1,m\n"
    ).roles
    assert (roles.id, roles.fold, roles.weight, roles.group) == (
        "row_id",
        "fold",
        "weight",
        "group_sex",
    )
    assert set(roles.reasons) == {"row_id", "y", "score", "fold", "weight", "group_sex"}
    assert all(roles.reasons.values())


def test_an_empty_choice_says_that_no_column_has_the_role() -> None:
    text = "id,y,score,fold,weight\n1,1,0.9,1,2\n2,0,0.2,1,1\n3,0,0.3,2,1\n"
    roles = loaded(text, fold="", weight="", id="").roles
    assert (roles.id, roles.fold, roles.weight) == (None, None, None)


def test_a_table_of_counts_has_its_counts_as_weights() -> None:
    assert loaded("truth,pred,n\npos,pos,60\nneg,pos,7\npos,neg,4\n").roles.weight == "n"
    assert loaded("truth,score,n\n1,0.5,60\n0,0.25,7\n1,0.75,4\n").roles.weight is None


def test_choices_win_and_what_is_open_is_detected_round_them() -> None:
    text = "y,other,rf_score,svm_score,fold\n1,0,0.9,0.8,1\n0,1,0.2,0.3,1\n1,1,0.7,0.6,2\n"
    roles = loaded(text, truth="other", scores={"mine": "svm_score"}).roles
    assert roles.truth == "other"
    assert {name: m.score for name, m in roles.models.items()} == {"mine": "svm_score"}
    assert roles.fold == "fold"
    assert roles.reasons["svm_score"] == CHOSEN


def test_a_label_and_a_score_chosen_without_a_model_name_are_one_model() -> None:
    text = "a,b,c\n1,1,0.9\n0,1,0.2\n1,0,0.6\n"
    for labels, scores in (
        ({"b": "b"}, {"c": "c"}),
        ({"": "b"}, {"": "c"}),
        ({"c": "b"}, {"c": "c"}),
    ):
        roles = loaded(text, truth="a", labels=labels, scores=scores).roles
        assert {n: (m.label, m.score) for n, m in roles.models.items()} == {"c": ("b", "c")}


def test_a_chosen_score_wins_over_a_probability_column() -> None:
    text = "y,p_yes,raw\nyes,0.9,2\nno,0.2,-1\n"
    roles = loaded(text, scores={"m": "raw"}, probabilities={"m": {"yes": "p_yes"}}).roles
    assert roles.models["m"].score == "raw"


def test_a_chosen_column_that_is_not_there_is_named() -> None:
    error = refused("y,p\n1,0.9\n0,0.2\n", truth="nope")
    assert error.message == 'There is no column "nope". The columns are: "y", "p".'


def test_the_scale_and_the_direction_are_taken_from_the_choices() -> None:
    roles = loaded("y,p\n1,0.9\n0,0.2\n", scale=Scale.SCORE, reverse=True).roles
    assert (roles.scale, roles.reverse) == (Scale.SCORE, True)


def test_hostile_names_are_only_names() -> None:
    evil = "<img src=x onerror=alert(1)>"
    data = loaded(f'"{evil}","=HYPERLINK(1)"\na,a\nb,a\n', truth=evil, labels={"": "=HYPERLINK(1)"})
    assert data.roles.truth == evil
    assert data.classes == ("a", "b")


def test_duplicate_score_headers_are_two_models() -> None:
    data = loaded("id,prob,y,prob\n1,0.9,1,0.7\n2,0.2,0,0.6\n3,0.8,1,0.4\n")
    assert list(data.models) == ["prob (column 2)", "prob (column 4)"]
    assert "is repeated" in notice(data, "duplicate-header")


def test_a_question_comes_with_its_answers_and_each_settles_it() -> None:
    text = "left,right,score\na,b,0.5\nb,b,0.25\na,a,0.1\n"
    offers = refused(text).offers
    assert [(offer.choice, offer.value) for offer in offers] == [
        ("truth", "left"),
        ("truth", "right"),
    ]
    assert loaded(text, **{offers[1].choice: offers[1].value}).roles.truth == "right"


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("y,age,income\n1,33,1200.5\n0,41,900\n1,25,800.5\n", "scores"),
        ("y,age,income\n1.5,33,1200.5\n2.5,41,900\n3.25,25,800.5\n", "predictions"),
    ],
)
def test_features_are_not_promoted_but_asked_about(text: str, choice: str) -> None:
    error = refused(text)
    assert error.code == "ambiguous"
    assert {(offer.choice, offer.value) for offer in error.offers} >= {(choice, "income")}


def test_infinities_in_a_column_without_a_role_do_no_harm() -> None:
    assert loaded("y,score,x\n1,0.5,inf\n0,0.25,inf\n0,0.1,3\n").models["score"].n == 3


def test_of_two_scores_of_one_model_the_one_between_zero_and_one_is_used() -> None:
    roles = loaded("y,rf_logit,rf_prob\n1,2.5,0.9\n0,-1,0.25\n").roles
    assert {name: m.score for name, m in roles.models.items()} == {"rf": "rf_prob"}
    assert "rf_logit" not in roles.reasons


def test_numbered_models_are_not_taken_for_classes() -> None:
    roles = loaded("y,score_1,score_2,score_3\n1,0.9,0.8,0.7\n0,0.2,0.3,0.1\n").roles
    assert {name: m.score for name, m in roles.models.items()} == {
        "1": "score_1",
        "2": "score_2",
        "3": "score_3",
    }
    assert dict(
        loaded("y,p_0,p_1\n1,0.1,0.9\n0,0.8,0.2\n").roles.models["model"].probabilities
    ) == {
        "0": "p_0",
        "1": "p_1",
    }


def test_a_model_is_not_called_after_the_target() -> None:
    assert list(loaded("income_true,income_pred\n1.5,1.25\n2.5,2.75\n").models) == ["income_pred"]


def test_models_are_in_the_order_of_the_file() -> None:
    data = loaded("y,b_score,score,a_score\n1,0.9,0.8,0.7\n0,0.2,0.3,0.1\n")
    assert list(data.models) == ["b", "score", "a"]


def test_labels_spelt_apart_are_named_where_they_hide_a_question_of_yes_or_no() -> None:
    rows = b"y,score\nyes,0.9\nYES,0.8\nno,0.1\nYes,0.7\nno,0.3\n"
    with pytest.raises(EvalError, match="count as 3 classes; if they are one, write"):
        load([("p.csv", rows)])


@pytest.mark.parametrize("mark", ["5", "-", ",,"])
def test_a_mark_that_could_be_part_of_a_number_is_refused(mark: str) -> None:
    with pytest.raises(EvalError, match="cannot be a decimal or thousands mark"):
        load([("p.csv", b"y,score\n1,0.9\n0,0.2\n")], Choices(decimal=mark))


def test_a_file_of_blanks_is_called_empty() -> None:
    with pytest.raises(EvalError, match="only blank lines"):
        load([("p.csv", b"  \n \n\n")])


@pytest.mark.parametrize(
    ("header", "column", "confidence"),
    [
        ("y_true,pred,p", "y_true", Confidence.SURE),
        ("y_true,pred,p", "pred", Confidence.SURE),
        ("class,pred,p", "class", Confidence.LIKELY),
        ("really_true,pred,p", "really_true", Confidence.LIKELY),
        ("alpha,pred,p", "alpha", Confidence.GUESS),
        ("y_true,beta,gamma", "beta", Confidence.GUESS),
        ("y_true,beta,gamma", "gamma", Confidence.GUESS),
    ],
)
def test_a_reason_says_how_sure_it_is(header: str, column: str, confidence: Confidence) -> None:
    data = loaded(f"{header}\nyes,no,0.4\nno,no,0.1\nyes,yes,0.8\n")
    assert data.roles.reasons[column].confidence is confidence


def test_a_name_that_the_values_do_not_bear_out_is_less_than_sure() -> None:
    margin = loaded("y_true,score\nyes,3.5\nno,-1\n").roles.reasons["score"]
    stranger = loaded("y_true,pred\nyes,no\nno,maybe\n").roles.reasons["pred"]
    assert margin.confidence is stranger.confidence is Confidence.LIKELY


def test_what_is_chosen_or_written_by_a_known_tool_is_sure() -> None:
    chosen = loaded("alpha,p\n1,0.9\n0,0.2\n", truth="alpha").roles
    assert chosen.reasons["alpha"].confidence is Confidence.SURE
    written = loaded("row_ids,truth,response\n1,M,M\n2,R,M\n").roles
    assert {reason.confidence for reason in written.reasons.values()} == {Confidence.SURE}


def test_the_rarer_class_is_positive_by_a_guess_only() -> None:
    reason = loaded("y,p\nA,0.9\nB,0.2\nB,0.3\n").roles.positive_reason
    assert reason is not None
    assert reason.confidence is Confidence.GUESS


@pytest.mark.parametrize(
    "text",
    [
        "y,label_a,score_a,model_a\n1,1,0.9,forest\n0,0,0.2,forest\n",
        "y,label_a,score_a,model_a\n1,1,0.9,0.8\n0,0,0.2,0.3\n",
        "y,label_a,model_a\n1,1,0.9\n0,0,0.2\n",
        "y,label_model_a,score_model_a\n1,1,0.9\n0,0,0.2\n",
    ],
)
def test_columns_that_name_one_model_are_one_model(text: str) -> None:
    ((name, model),) = loaded(text).roles.models.items()
    assert name == "a"
    assert model.label is not None
    assert model.score is not None


NAMES = ("correct", "error", "residual", "row_id", "index", "date", "when", "steady", "predicted")


def aside(name: str, rows: int) -> list[str]:
    """Return cells of a column that is neither truth nor score, whatever it is called."""
    made = {
        "correct": lambda row: row % 2,
        "error": lambda row: row / rows,
        "residual": lambda row: row / rows - 0.5,
        "row_id": lambda row: 7919 * row,
        "index": lambda row: row,
        "date": lambda row: f"2024-01-{row % 9 + 1:02}",
        "when": lambda row: f"2024-02-{row % 9 + 1:02} 10:30",
        "steady": lambda row: 1,
        "predicted": lambda row: ("yes", "no")[row % 2],
    }
    return [str(made[name](row)) for row in range(rows)]


@settings(max_examples=60, deadline=None)
@given(
    names=st.lists(st.sampled_from(NAMES), unique=True, min_size=1),
    truth=st.sampled_from(["alpha", "y_true", "Klasse", "match"]),
    score=st.sampled_from(["beta", "score", "p_yes"]),
    rows=st.integers(6, 40),
    data=st.data(),
)
def test_what_follows_from_a_prediction_or_tells_rows_apart_is_never_truth_or_score(
    names: list[str], truth: str, score: str, rows: int, data: st.DataObject
) -> None:
    cells = {name: aside(name, rows) for name in names}
    cells[truth] = [("yes", "no", "no")[row % 3] for row in range(rows)]
    cells[score] = [f"0.{31 + (37 * row) % 60}" for row in range(rows)]
    order = data.draw(st.permutations(list(cells)))
    lines = [order, *zip(*(cells[name] for name in order), strict=True)]
    roles = loaded("\n".join(",".join(line) for line in lines)).roles
    assert roles.truth == truth
    # Beside a column called "predicted", one called "beta" is as well a feature.
    assert {model.score for model in roles.models.values()} <= {score, None}
    assert "predicted" not in names or "predicted" in roles.reasons


def test_a_score_of_zero_and_one_casts_no_doubt_on_a_truth_in_words() -> None:
    reasons = loaded("truth,a_score\nchurn,1\nstay,0\nstay,0\n").roles.reasons
    assert reasons["truth"].confidence is Confidence.SURE


def test_the_word_for_model_is_no_name_in_any_language() -> None:
    models = loaded("Klasse,Vorhersage,Score_Modell\na,a,0.9\nb,b,0.2\n").roles.models
    ((_, model),) = models.items()
    assert (model.label, model.score) == ("Vorhersage", "Score_Modell")


def of_models(header: str, *, parts: int = 10) -> str:
    """Return a file of the classes cat, dog and hen with three shares for each of two models."""
    names, lines = ("cat", "dog", "hen"), [header]
    for row in range(24):
        guess = (row + (row % 7 == 0)) % 3
        shares = [str((6 if k == guess else 2) / parts) for k in range(3)]
        own = [names[guess], *shares] if header.count(",") == 8 else shares
        lines.append(",".join([names[row % 3], *own, *own]))
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("header", "models", "label"),
    [
        (
            "category,v1_pred,v1_cat,v1_dog,v1_hen,v2_pred,v2_cat,v2_dog,v2_hen",
            ("v1", "v2"),
            "{}_pred",
        ),
        ("category,v1,v1_cat,v1_dog,v1_hen,v2,v2_cat,v2_dog,v2_hen", ("v1", "v2"), "{}"),
        ("category,gbm_cat,gbm_dog,gbm_hen,svm_cat,svm_dog,svm_hen", ("gbm", "svm"), None),
        ("category,cat_gbm,dog_gbm,hen_gbm,cat_svm,dog_svm,hen_svm", ("gbm", "svm"), None),
    ],
)
def test_a_column_for_each_class_after_the_name_of_a_model_holds_its_probabilities(
    header: str, models: tuple[str, str], label: str | None
) -> None:
    roles = loaded(of_models(header)).roles
    assert (roles.truth, roles.task, tuple(roles.models)) == ("category", Task.MULTICLASS, models)
    for name, model in roles.models.items():
        first = header.split(",")[1].startswith("cat_")
        of = {c: f"{c}_{name}" if first else f"{name}_{c}" for c in ("cat", "dog", "hen")}
        assert dict(model.probabilities) == of
        assert model.label == (label.format(name) if label else None)


@pytest.mark.parametrize(
    "text",
    [
        # They do not sum to 1; one class has none; they are shares of something else.
        of_models("kind,v1_pred,v1_cat,v1_dog,v1_hen,v2_pred,v2_cat,v2_dog,v2_hen", parts=20),
        of_models("kind,v1_pred,v1_cat,v1_dog,v1_cow,v2_pred,v2_cat,v2_dog,v2_cow"),
        of_models("kind,v1_pred,diet_cat,diet_dog,diet_hen,v2_pred,area_cat,area_dog,area_hen"),
    ],
)
def test_what_is_no_whole_set_of_probabilities_of_a_model_stays_without_a_role(text: str) -> None:
    roles = loaded(text).roles
    assert [model.label for model in roles.models.values()] == ["v1_pred", "v2_pred"]
    assert not any(model.probabilities for model in roles.models.values())

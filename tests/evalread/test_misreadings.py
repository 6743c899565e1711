"""What was misread once: each rule with a file that it mends and one that it leaves alone."""

import json

import pytest

from evalcore.outcomes import BinaryOutcomes
from evalread.dataset import Task

from .files import codes, csv, loaded, notice, refused

ROWS = range(20)


def table(header: str, *cells: str) -> str:
    """Return a table of 20 rows, in which each column repeats its words in turn."""
    columns = [words.split() for words in cells]
    rows = [",".join(words[k % len(words)] for words in columns) for k in ROWS]
    return "\n".join([header, *rows]) + "\n"


def test_no_column_is_its_own_prediction() -> None:
    data = loaded(table("diagnosis,model_call,risk", "sick well", "sick sick well", "0.9 0.2 0.7"))
    assert data.roles.truth == "diagnosis"
    assert set(data.models) == {"model_call", "risk"}
    paired = loaded(table("income,predicted_income,age", "1.5 2.5 4", "2 3.5 4.2", "30 40 50"))
    assert paired.roles.truth == "income"


def test_sizes_are_no_model_in_a_table_of_scores() -> None:
    datasets = " ".join(f"set{k}" for k in ROWS)
    sizes = loaded(table("dataset,n,n_features,a,b", datasets, "100 250", "4 9", "0.8 0.7", "0.9"))
    assert sizes.roles.folds is not None
    assert list(sizes.roles.folds.scores) == ["a", "b"]
    shares = loaded(table("dataset,n,m", datasets, "0.8 0.7", "0.9 0.6"))
    assert shares.roles.folds is not None
    assert list(shares.roles.folds.scores) == ["n", "m"]


def test_training_scores_are_seen_inside_a_word() -> None:
    rows = "".join(f"s{k},{m},0.99,0.8{k}\n" for k in range(9) for m in "ab")
    data = loaded(f"dataset,model,CV_TrainAcc,TestAcc\n{rows}")
    assert data.roles.folds is not None
    assert list(data.roles.folds.scores.values()) == ["TestAcc"]
    strain = loaded(f"dataset,model,strainScore,what\n{rows}")
    assert strain.roles.folds is not None
    assert list(strain.roles.folds.scores.values()) == ["strainScore"]


FRAME = "fit_time,score_time,test_f1,model\n" + "".join(
    f"0.1,0.0{k},0.8{k},{model}\n" for model in ("svm", "forest") for k in range(5)
)


def test_a_frame_of_cross_validate_has_a_fold_per_row_of_each_model() -> None:
    scores = loaded(FRAME).fold_scores
    assert scores is not None
    assert scores.models == ("svm", "forest")
    assert scores.fold == ("1", "2", "3", "4", "5")
    assert scores.score[:, 2].tolist() == [0.82, 0.82]


def test_a_fold_that_is_there_already_is_kept() -> None:
    header, *rows = FRAME.splitlines()
    named = "\n".join([f"{header},fold", *(f"{row},f{k % 5}" for k, row in enumerate(rows))])
    scores = loaded(named + "\n").fold_scores
    assert scores is not None
    assert scores.fold == ("f0", "f1", "f2", "f3", "f4")


def test_labels_in_other_words_give_way_to_those_of_the_truth() -> None:
    cells = ("sport family", "sport-car family-car", "sport sport family")
    data = loaded(table("true_label,predicted_label,predicted_class", *cells))
    assert [model.label for model in data.roles.models.values()] == ["predicted_class"]
    alone = refused(table("true_label,predicted_label", *cells[:2]))
    assert alone.code == "labels-differ"
    other_spelling = loaded(table("y_true,a_pred,b_pred", "1 0", "True False", "1 1 0"))
    assert len(other_spelling.models) == 2


def test_words_are_no_predicted_numbers() -> None:
    numbers = (" ".join(f"{k}.5" for k in ROWS), " ".join(f"{k}.25" for k in ROWS))
    data = loaded(table("actual_votes,forecast_type,forecast", numbers[0], "lite full", numbers[1]))
    assert [model.prediction for model in data.roles.models.values()] == ["forecast"]
    spoilt = "".join(f"{k}.5,{k}.25\n" for k in ROWS) + "3.5,none given\n"
    assert refused(f"y,pred\n{spoilt}").code == "not-numeric"


def test_the_rarer_class_is_that_of_fewer_counted_rows() -> None:
    counts = "truth,label,count\nC,C,47\nC,U,31\nU,C,327\nU,U,2950\n"
    assert loaded(counts).roles.positive == "C"
    assert loaded(counts.replace("2950", "2").replace("327", "3")).roles.positive == "U"
    assert loaded(counts, weight="").roles.positive == "U"  # the second of two as frequent


def test_one_probability_named_after_a_class_is_about_it() -> None:
    data = loaded(table("winner,home_prob", "home away", "0.8 0.3 0.6"))
    assert data.roles.positive == "home"
    (model,) = data.models.values()
    assert isinstance(model, BinaryOutcomes)
    assert model.score is not None
    assert model.score[0] == 0.8
    several = loaded(table("kind,tree_score,wood_score", "tree rock", "0.8 0.3", "0.7 0.4 0.6"))
    assert set(several.models) == {"tree", "wood"}


@pytest.mark.parametrize("name", ["leiden", "louvain", "Hierarchical_Labels", "MeanShift_Labels"])
def test_more_ways_to_cluster_are_known_by_name(name: str) -> None:
    data = loaded(table(f"x,y,{name}", "1.5 2.5 3.5", "0.1 0.7", "0 1 2"))
    assert list(data.roles.clusterings) == [name]
    assert data.roles.features == ("x", "y")


def test_what_is_called_like_a_known_clustering_is_one_too() -> None:
    data = loaded(table("x,KMeans_Labels,Mine_Labels,x_count", "1.5 2.5", "0 1", "1 0 2", "3 4"))
    assert list(data.roles.clusterings) == ["KMeans_Labels", "Mine_Labels"]
    assert data.roles.features == ("x", "x_count")


def test_objects_on_several_lines_are_rows() -> None:
    text = "".join(f'{{"y_true": "{"ab"[k % 2]}",\n "y_pred": "a"}}\n' for k in ROWS)
    data = loaded(("p.jsonl", text.encode()))
    assert (data.roles.task, data.rows_used) == (Task.BINARY, 20)
    cut_off = refused(("p.jsonl", text[:-9].encode()))
    assert cut_off.code == "not-json"
    assert "cut off" in cut_off.message


def test_what_follows_an_object_may_be_no_object_and_the_objects_many() -> None:
    deep = refused(("p.json", b'{"a": 1}\n' + b"[" * 100_000))
    assert deep.code == "not-json"
    many = b'{"y_true": 1,\n"y_pred": 1}\n{"y_true": 0,\n"y_pred": 1}\n' * 20_000
    assert loaded(("p.json", many)).rows_used == 40_000


def test_a_truth_without_a_value_is_named() -> None:
    blank = refused(csv(table("age,predicted,outcome", "30.5 41.5 28", "0 1", "NA")))
    assert blank.code == "no-truth"
    assert '"outcome" has such a name, but no value in any row.' in blank.message


IDS = " ".join(f"i{k}" for k in ROWS)
RISING = " ".join(f"{k}.5" for k in ROWS)
NEAR = " ".join(f"{k}.9" for k in ROWS)
FAR = " ".join(f"{7 * k % 20 + 90}.1" for k in ROWS)


def test_a_column_called_model_that_holds_the_labels_is_a_prediction() -> None:
    said = loaded(table("gold,annotator,model", "cat dog hen", "cat dog", "cat hen hen dog"))
    assert said.roles.model is None
    assert "model" in {one.label for one in said.roles.models.values()}
    named = loaded(table("id,gold,model,pred", IDS, "cat dog", "a b", "cat dog dog"), own_rows=True)
    assert set(named.models) == {"a", "b"}


@pytest.mark.parametrize("column", ["variable", "system"])
def test_words_that_tell_the_rows_of_each_id_apart_may_name_models(column: str) -> None:
    cells = [(f"e{k}", word, k % 3 // 2, (k + len(word)) % 2) for k in ROWS for word in ("a", "bc")]
    text = f"id,{column},y_true,y_pred\n" + "".join(f"{','.join(map(str, c))}\n" for c in cells)
    asked = refused(text)
    assert asked.code == "ambiguous"
    assert [(one.choice, one.value) for one in asked.offers] == [
        ("model", column),
        ("ignore", column),
    ]
    assert set(loaded(text, model=column).models) == {"a", "bc"}
    assert len(loaded(text, ignore=[column]).models) == len(loaded(text, model="").models) == 1
    # Another truth in each row is that of another example; a number is a try or a seed.
    assert len(loaded(text.replace(",bc,0", ",bc,1")).models) == 1
    assert len(loaded(text.replace(",a,", ",1,").replace(",bc,", ",2,")).models) == 1


def test_models_called_by_the_names_of_methods_are_all_read() -> None:
    names = "LinearRegression,Random Forest,XGBRegressor,AutoETS,naive,k_neighbors"
    data = loaded(table(f"y_test,{names}", RISING, *[NEAR] * 6))
    columns = [model.prediction for model in data.roles.models.values()]
    assert columns == names.split(",")
    words = loaded(table("y_test,forest_area,random_number,lasso", RISING, FAR, FAR, NEAR))
    assert [model.prediction for model in words.roles.models.values()] == ["lasso"]


def test_what_comes_as_near_as_a_named_method_is_a_model_and_what_comes_near_is_asked_about():
    near = loaded(table("actual,baseline,new,heat", RISING, NEAR, NEAR, FAR))
    assert list(near.models) == ["baseline", "new"]
    assert 'as close to "actual" as "baseline"' in near.roles.reasons["new"].text
    farther = " ".join(f"{k * 1.25 + 1}" for k in ROWS)
    asked = refused(table("actual,baseline,new,heat", RISING, NEAR, farther, FAR))
    assert [one.value for one in asked.offers] == ["baseline", "new"]
    both = loaded(table("actual,baseline,pred_new,heat", RISING, NEAR, NEAR, NEAR))
    assert len(both.models) == 2


def test_the_second_of_two_columns_of_one_name_is_no_prediction_unasked() -> None:
    asked = refused(table("label,label.1", "0 1", "0 1 1"))
    assert [one.value for one in asked.offers] == ["label", "label.1"]
    probabilities = loaded(table("target,target.0,target.1", "0 1", "0.9 0.2", "0.1 0.8"))
    assert probabilities.roles.truth == "target"


def test_two_coordinates_are_two_targets() -> None:
    cells = [RISING, FAR, NEAR, FAR]
    asked = refused(table("true_x,true_y,pred_x,pred_y", *cells))
    assert [one.value for one in asked.offers] == ["true_x", "true_y"]
    assert loaded(table("x,y_true,y_pred", RISING, RISING, NEAR)).roles.truth == "y_true"


def test_what_was_measured_is_the_truth_of_what_was_predicted() -> None:
    margins = loaded(table("home,predicted_margin,actual_margin", "a b c", NEAR, RISING))
    assert margins.roles.truth == "actual_margin"
    refused(table("home,predicted_class,actual_probability", "x y z", "a b", "0.9 0.2 0.4"))


def test_classes_that_probabilities_leave_out_are_no_proof_of_the_truth() -> None:
    shares = ["0.9 0.2 0.4", "0.1 0.8 0.6"]
    few = loaded(table("team,p_a,p_b", "a b c d", *shares)).roles
    most = loaded(table("team,p_a,p_b", "a b c", *shares)).roles
    assert [one.reasons["team"].confidence.value for one in (few, most)] == ["a guess", "likely"]


def test_the_label_beside_probabilities_of_tidymodels_may_be_called_estimate() -> None:
    cells = ["Yes No", "Yes No No", "0.9 0.2 0.4", "0.1 0.8 0.6"]
    (model,) = loaded(table("truth,estimate,.pred_Yes,.pred_No", *cells)).roles.models.values()
    assert model.label == "estimate"
    (model,) = loaded(table("truth,.pred_class,.pred_Yes,.pred_No", *cells)).roles.models.values()
    assert model.label == ".pred_class"


def test_metrics_that_a_harness_does_not_list_are_known_by_their_names() -> None:
    row = '{{"doc_id": {}, "target": "A", "filtered_resps": ["x"], "{}": {}}}\n'
    marks = ["".join(row.format(k, name, k % 2) for k in ROWS) for name in ("acc", "colour")]
    assert loaded(("samples.jsonl", marks[0].encode())).roles.task is Task.CORRECT
    assert refused(("samples.jsonl", marks[1].encode())).code == "no-right-or-wrong"


def test_means_of_bins_are_no_examples() -> None:
    counts = " ".join(str(k) for k in ROWS)
    said = refused(table("bin,mean_predicted,observed_rate,count", counts, RISING, NEAR, "9 8 7"))
    assert said.code == "finished-metrics"
    banded = table("band,predicted_rate,observed_rate", "a b c", RISING, NEAR)
    assert loaded(banded).roles.truth == "observed_rate"


@pytest.mark.parametrize("name", ["bin", "decile", "score_band"])
def test_means_of_bands_are_no_regression(name: str) -> None:
    means = [(0.02, 0.04), (0.11, 0.13), (0.26, 0.24), (0.38, 0.35), (0.52, 0.55)]
    rows = "".join(f"{k},{true},{said}\n" for k, (true, said) in enumerate(means, 1))
    assert refused(f"{name},observed,predicted\n{rows}").code == "finished-metrics"
    texts = "".join(f"{k}0-{k + 1}0%,{true},{said}\n" for k, (true, said) in enumerate(means))
    assert refused(f"{name},observed,predicted\n{texts}").code == "finished-metrics"
    # Several rows of a band are examples, and so are labels beside the number of a row.
    again = "".join(f"{k // 2},{true},{said}\n" for k, (true, said) in enumerate(means))
    assert loaded(f"{name},observed,predicted\n{again}").roles.truth == "observed"
    labels = "".join(f"{k},{k % 2},{said}\n" for k, (_, said) in enumerate(means, 1))
    assert loaded(f"{name},observed,predicted\n{labels}").roles.truth == "observed"


def test_a_frequency_beside_few_scores_counts_rows_or_is_said_to_count_none() -> None:
    few = loaded("score,truth,freq\n0.1,0,5\n0.4,0,3\n0.4,1,2\n0.9,1,7\n")
    assert few.roles.weight == "freq"
    assert few.models["score"].weight.sum() == 17
    apart = loaded("score,truth,freq\n0.1,0,5\n0.4,0,3\n0.6,1,2\n0.9,1,7\n")
    assert apart.roles.weight is None
    assert "hardly any score repeats" in notice(apart, "counts-unused")
    # Beside anything else it may be a feature.
    beside = loaded("score,truth,freq,age\n0.1,0,5,31\n0.4,0,3,47\n0.4,1,2,58\n0.9,1,7,62\n")
    assert beside.roles.weight is None
    assert "counts-unused" not in codes(beside)


def test_a_response_is_the_truth_beside_predictions_and_a_prediction_beside_a_truth() -> None:
    rows = [(k * 7 % 19 + 0.5, k * 7 % 19 + k % 3, 20 + k * 5 % 13) for k in range(30)]
    text = "".join(f"{true},{said},{age}\n" for true, said, age in rows)
    found = loaded(f"response,prediction,age\n{text}").roles
    assert (found.truth, found.reasons["response"].confidence.value) == ("response", "likely")
    assert [model.prediction for model in found.models.values()] == ["prediction"]
    several = loaded(f"response,prediction_lm,prediction_rf\n{text}").roles
    assert (several.truth, [*several.models]) == ("response", ["lm", "rf"])
    by_mlr3 = loaded(f"truth,response,age\n{text}").roles
    assert by_mlr3.truth == "truth"
    assert [model.prediction for model in by_mlr3.models.values()] == ["response"]


def test_json_of_models_with_their_columns_is_a_table() -> None:
    truth, forest, logit = [1, 0, 1, 0, 1, 1], [1, 0, 0, 0, 1, 1], [1, 1, 0, 0, 1, 1]
    both = {
        "forest": {"y_true": truth, "y_pred": forest},
        "logit": {"y_true": truth, "y_pred": logit},
    }
    data = loaded(("m.json", json.dumps(both).encode()))
    assert data.roles.truth == "y_true"
    assert {n: model.label.tolist() for n, model in data.models.items()} == {
        "forest": forest,
        "logit": logit,
    }
    own = {"forest": both["forest"], "logit": {"y_true": [1, 0, 1], "y_pred": [1, 0, 0]}}
    apart = loaded(("m.json", json.dumps(own).encode()))
    assert {name: model.n for name, model in apart.models.items()} == {"forest": 6, "logit": 3}
    alone = loaded(("m.json", json.dumps({"forest": both["forest"]}).encode()))
    assert [model.n for model in alone.models.values()] == [6]
    # Lists of other lengths, or other columns, are no table.
    uneven = {"a": {"y_true": [1, 0], "y_pred": [1]}, "b": {"y_true": [1, 0], "y_pred": [1, 0]}}
    assert refused(("m.json", json.dumps(uneven).encode())).code

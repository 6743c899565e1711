from .files import loaded, notice, refused


def scores(data) -> dict[str, list[float]]:
    return {name: model.score.tolist() for name, model in data.models.items()}


def test_a_row_per_model_and_example_becomes_a_model_each() -> None:
    data = loaded("id,model,truth,score\n1,A,0,0.1\n2,A,1,0.8\n2,B,1,0.9\n1,B,0,0.2\n")
    assert scores(data) == {"A": [0.1, 0.8], "B": [0.2, 0.9]}
    assert "names 2 models" in notice(data, "long")


def test_without_an_id_the_same_truth_in_order_is_the_proof() -> None:
    data = loaded("model,truth,score\nA,0,0.1\nA,1,0.8\nB,0,0.2\nB,1,0.9\n")
    assert list(data.models) == ["A", "B"]


def test_a_model_column_that_is_a_feature_stays_one() -> None:
    data = loaded("model,truth,score\nFord,0,0.1\nFord,1,0.8\nOpel,1,0.2\nOpel,0,0.9\nOpel,1,0.3\n")
    assert list(data.models) == ["score"]


def test_the_model_column_can_be_chosen_or_refused() -> None:
    text = "id,kind,truth,score\n1,A,0,0.1\n2,A,1,0.8\n1,B,0,0.2\n2,B,1,0.9\n"
    assert list(loaded(text, model="kind").models) == ["A", "B"]
    assert loaded(text.replace("kind", "model"), model="").table.n == 4
    assert refused(text, model="nope").message == (
        'There is no column "nope", which would name the model of each row. The columns are: '
        '"id", "kind", "truth", "score".'
    )
    assert refused(text, model="id", id="kind").code in (
        "bad-model-column",
        "duplicate-id",
        "truth-differs",
    )


def test_models_without_some_rows_keep_the_others() -> None:
    data = loaded("id,model,truth,score\n1,A,0,0.1\n2,A,1,0.8\n3,A,1,0.5\n1,B,0,0.2\n3,B,1,0.9\n")
    assert {name: model.n for name, model in data.models.items()} == {"A": 3, "B": 2}

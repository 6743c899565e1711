"""What the boxes hold becomes what the user has with_roles, and no more."""

from dataclasses import replace

from evalread.dataset import NO_CHOICES, Choices, FeatureKind, ModelRoles, Roles, Task
from evalread.rewriting import with_points, with_roles

MODELS = {"rf": ModelRoles(score="rf_p", label="rf_l"), "lr": ModelRoles(score="lr_p")}
ROLES = Roles(task=Task.BINARY, truth="y", models=MODELS, fold="fold")
SIDES = {"fold": "fold", "weight": None}


def test_boxes_left_as_they_were_settle_nothing() -> None:
    assert with_roles(NO_CHOICES, ROLES, "y", MODELS, SIDES) == NO_CHOICES


def test_an_earlier_choice_stays() -> None:
    before = Choices(positive="yes", scale=None)
    assert with_roles(before, ROLES, "y", MODELS, SIDES) == before


def test_another_truth_is_settled_and_its_positive_class_left_open() -> None:
    found = with_roles(Choices(positive="yes"), ROLES, "z", MODELS, SIDES)
    assert found == Choices(truth="z")


def test_no_fold_is_settled_as_none_of_the_columns() -> None:
    assert with_roles(NO_CHOICES, ROLES, "y", MODELS, {**SIDES, "fold": None}).fold == ""


def test_a_weight_is_settled() -> None:
    assert with_roles(NO_CHOICES, ROLES, "y", MODELS, {**SIDES, "weight": "w"}) == Choices(
        weight="w"
    )


def test_one_changed_model_settles_the_columns_of_all() -> None:
    models = {**MODELS, "lr": ModelRoles(score="other")}
    found = with_roles(NO_CHOICES, ROLES, "y", models, SIDES)
    assert found == Choices(labels={"rf": "rf_l"}, scores={"rf": "rf_p", "lr": "other"})


def test_a_score_that_is_a_class_probability_is_settled_as_one() -> None:
    given = ModelRoles(score="p_yes", probabilities={"yes": "p_yes", "no": "p_no"})
    roles = replace(ROLES, models={"m": given})
    models = {"m": replace(given, label="said")}
    found = with_roles(NO_CHOICES, roles, "y", models, SIDES)
    assert found.scores is None
    assert found.probabilities == {"m": {"yes": "p_yes", "no": "p_no"}}
    assert found.labels == {"m": "said"}


def test_without_any_roles_everything_that_is_filled_is_settled() -> None:
    models = {"p": ModelRoles(score="p")}
    found = with_roles(NO_CHOICES, None, "y", models, {"fold": None, "weight": "w"})
    assert found == Choices(truth="y", scores={"p": "p"}, weight="w")


POINTS = Roles(
    task=Task.CLUSTERING,
    truth="",
    models={},
    clusterings={"k": "found"},
    features=("a", "b"),
)


def test_clusters_and_features_left_as_they_were_settle_nothing() -> None:
    assert with_points(NO_CHOICES, POINTS, ["found"], ["a", "b"], None) == NO_CHOICES
    assert with_points(NO_CHOICES, POINTS, [], ["a", "b"], None) == NO_CHOICES


def test_other_features_and_none_are_settled() -> None:
    assert with_points(NO_CHOICES, POINTS, ["found"], ["c"], None) == Choices(features=("c",))
    assert with_points(NO_CHOICES, POINTS, ["found"], [], None) == Choices(features=())


def test_a_column_that_becomes_one_of_clusters_is_no_feature_and_names_stay() -> None:
    found = with_points(Choices(features=("a", "b")), POINTS, ["found", "b"], ["a", "b"], None)
    assert found == Choices(clusterings={"k": "found", "b": "b"}, features=("a",))


def test_the_kind_of_features_is_settled_and_opened_again():
    codes = with_points(NO_CHOICES, POINTS, ["found"], ["a", "b"], FeatureKind.CATEGORIES)
    assert codes == Choices(feature_kind=FeatureKind.CATEGORIES)
    assert with_points(codes, POINTS, ["found"], ["a", "b"], None) == NO_CHOICES

"""Files that hold something else than predictions: each kind by its name, with what can be done."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from evalcore.errors import EvalError, Notice, Offer
from evalcore.text import listed, shorten
from evalread.columns import is_number
from evalread.dataset import Choices, Roles, Table, Task
from evalread.detection.metrics import (
    File,
    Names,
    draws,
    finished,
    history,
    joins_labels,
    listed_metrics,
    sweep,
    words_of,
)
from evalread.detection.profile import (
    CLUSTER,
    ID,
    PREDICTION,
    SCORE,
    TRUTH,
    Profile,
    plain,
    profile,
    speaks_of_prediction,
)
from evalread.signatures import rows_sum_to_one


@dataclass(frozen=True)
class FileKind:
    """One kind of file.

    Attributes:
        code: Of the error.
        says: What the file is; "{0}" stands for the columns that tell it, "{1}" for all.
        remedy: What can be done.
        found: Returns the columns that tell it; none where the file is no such file.
        example: The head of such a file, ";" between its lines.
        counter: The head of a file that looks like it and is none.
        offer: Another way to read the file.
        truths: From which to which of the columns that tell it each can be judged as a truth.
    """

    code: str
    says: str
    remedy: str
    found: Callable[[File], Names]
    example: str
    counter: str
    truths: tuple[int, int] = (0, 0)
    offer: Offer | None = None


def refuse_other_kinds(table: Table, columns: Mapping[str, Profile], choices: Choices) -> None:
    """Refuse a file of another task, unless somebody or its tool says which column is the truth.

    Raises:
        EvalError: What the file is and what can be done, with the code of its kind.
    """
    if choices.truth or choices.clusterings or choices.features or choices.fold_scores:
        return
    file = File(table, columns, choices)
    if choices.task in (Task.CLUSTERING, Task.FOLDS) or file.is_prediction_file:
        return
    for kind in KINDS:
        if names := list(kind.found(file)):
            judged = names[slice(*kind.truths)]
            offers = [Offer(f'Judge "{shorten(name)}"', "truth", name) for name in judged]
            raise EvalError(
                kind.code,
                f"{kind.says.format(listed(names, 6), listed(table.names))} {kind.remedy}",
                offers=[*offers, *filter(None, [kind.offer])],
            )


def _report(file: File) -> Names:
    (only, *more) = file.columns
    titled = only.startswith(("===", "#", '"""'))
    return [only] if not more and (titled or file.is_prose(only)) else []


def _mlflow(file: File) -> Names:
    return [name for name in file.columns if re.fullmatch(r".+/v\d+(/\w+)?", name)]


def _judged(file: File) -> Names:
    """Find what a judge said of answers, where no other column says what was right."""
    by_judge = file.called({"judge", "grader", "rubric", "judgement", "judgment"})
    explained = file.called({"justification", "rationale", "explanation", "feedback"})
    told = explained or file.called({"score", "rating", "grade", "verdict", "winner"})
    right = file.called({"human", "annotator", "expert"}) or any(
        plain(n) in TRUTH for n in file.columns
    )
    return [] if right or not told else by_judge


_CORNERS = (
    "xmin ymin xmax ymax", "x_min y_min x_max y_max", "x_center y_center width height",
    "x1 y1 x2 y2", "left top right bottom", "x y width height", "x y w h",
)  # fmt: skip
"""How the corners of boxes are called; the later names mean more than boxes."""


def _boxes(file: File) -> Names:
    named = {plain(name): name for name in file.columns}
    sure = _CORNERS if file.called({"image", "img", "frame", "file", "filename"}) else _CORNERS[:3]
    for corners in map(str.split, sure):
        found = [next((named[n] for n in named if n.endswith(one)), "") for one in corners]
        if len(set(found) - {""}) == 4 and len(named) > 4 and file.numbers(found) == found:
            return found
    return file.called({"bbox", "bboxes", "boxes"})


_OUTCOMES = frozenset({
    "true_positive", "false_positive", "false_negative", "true_negative", "tp", "fp", "fn", "tn",
    "hit", "miss", "false_alarm", "correct_rejection",
})  # fmt: skip


def _hits(file: File) -> Names:
    """Find the column that says of each row which of the four outcomes it is."""
    words = [c for c in file.columns.values() if not c.numeric and len(c.labels) > 1]
    few = (column for column in words if len(column.labels) <= len(_OUTCOMES))
    texts = ((column.name, {plain(label) for label in column.labels}) for column in few)
    found = [name for name, labels in texts if labels <= _OUTCOMES and labels & _ERRORS]
    if not found:
        return []
    rest = [c.labels for name, c in file.columns.items() if len(c.labels) > 1 and name not in found]
    return found if len(set(rest)) == len(rest) else []  # labels of a truth and its prediction


_ERRORS = frozenset({"false_positive", "false_negative", "fp", "fn", "false_alarm"})

_TIME = frozenset({"time", "duration", "days", "months", "years", "survival", "tte", "os", "pfs"})

_EVENT = frozenset({"event", "censored", "censor", "death", "died", "dead"})

_RISK = frozenset({"risk", "hazard", "survival", "partial", "os", "pfs", "tte", "lp"})


def _survival(file: File) -> Names:
    """Find a time and whether the event came; "status" and "E" need a risk beside them."""
    at_risk = bool(file.called(_RISK))
    event = _EVENT | ({"status", "e"} if at_risk else frozenset())
    time = _TIME | ({"t"} if at_risk else frozenset())
    events = [n for n in _only(file, event) if file.columns[n].distinct == 2]
    columns = (file.columns[name] for name in _only(file, time) if name not in events)
    long = [c.name for c in columns if c.continuous and c.low >= 0 and not c.counting]
    # "prob_died" is about "died", whenever it was.
    named = {file.words[name] - SCORE for name in file.called(SCORE)}
    events = [name for name in events if file.words[name] not in named]
    told = (
        long and events and file.predicted == [n for n in file.predicted if file.words[n] & _RISK]
    )
    return [long[0], events[0]] if told else []


def _only(file: File, words: Collection[str]) -> list[str]:
    """Return the columns called by one of these words, with few others beside it."""
    beside = {"to", "in", "event", "follow", "up", "followup", "observed", "indicator", "flag"}
    beside |= {"os", "pfs", "dfs", "death", "vital", "survival"}
    return [name for name in file.called(words) if file.words[name] <= beside | set(words)]


def _ranking(file: File) -> Names:
    query = file.called({"query", "qid", "topic", "session", "search"})
    document = file.called(
        {"doc", "document", "docid", "docno", "passage", "item", "product", "url"}
    )
    grade = file.called({"relevance", "relevant", "rel", "grade", "gain", "qrel"})
    grade += file.called({"label"}) if file.called({"qid", "docid", "docno"}) else []
    found = [*query[:1], *document[:1], *file.numbers(grade)[:1]]
    return found if len(set(found)) == 3 else []


_ABOUT_TRUTH = frozenset(
    {"true", "truth", "actual", "gold", "gt", "target", "expected", "observed"}
)

_ABOUT_PREDICTION = PREDICTION | SCORE


def _targets(file: File) -> Names:
    """Find several truths, each with predictions that are named after it."""
    stems = {name: words - _ABOUT_PREDICTION - {"y"} for name, words in file.words.items()}
    predicted = {name: stems[name] for name in file.called(_ABOUT_PREDICTION)}
    named = {stem for name, stem in predicted.items() if file.words[name] & PREDICTION}
    of_truth: dict[frozenset[str], str] = {}
    for name in file.columns.keys() - predicted.keys():
        stem = stems[name] - _ABOUT_TRUTH
        # "rf_label" beside "rf_score" is the label that a model gave.
        bare = stem - {"label"} if stem - {"label"} in named else stem
        of_truth.setdefault(bare, name)
    found = {name for stem, name in of_truth.items() if stem in predicted.values()}
    several = len(found) > 1 and frozenset() not in of_truth
    return [name for name in file.columns if name in found] if several else []


def _labels(file: File) -> Names:
    found = _targets(file)
    return found if all(file.columns[name].distinct == 2 for name in found) else []


def _labels_in_a_cell(file: File) -> Names:
    """Find cells of several labels: lists, or "a|b" where "a" and "b" stand by themselves, too."""
    named = [name for name in file.columns if plain(name) in TRUTH]
    return [name for name in named if file.columns[name].lists or joins_labels(file.columns[name])]


def _sets(file: File) -> Names:
    named = [
        n for n, w in file.words.items() if w & {"set", "sets"} and w & (PREDICTION | {"conformal"})
    ]
    others = [n for n in file.columns if speaks_of_prediction(n) and n not in named]
    return [] if others else named


_ANSWER = frozenset({
    "output", "outputs", "completion", "generated", "generation", "answer", "hypothesis",
    "candidate", "response", "summary", "translation", "transcription",
})  # fmt: skip


def _texts(file: File) -> Names:
    answers = [name for name in file.called(PREDICTION | _ANSWER) if name not in file.truths]
    first = [name for name in file.truths if file.is_prose(name)][:1]
    second = [name for name in answers if first and file.is_prose(name)][:1]
    return [*first, *second] if second else []


def _blank_truth(file: File) -> Names:
    """Find the truth that a name tells, by itself or by that of its prediction, without a value."""
    blank = [name for name, column in file.columns.items() if not column.present]
    own = {frozenset(file.words[name] - PREDICTION) for name in file.predicted}
    named = [name for name in blank if plain(name) in TRUTH or file.words[name] in own]
    others = file.columns.keys() - {*blank, *file.predicted}
    labels = {label for name in file.predicted for label in file.columns[name].labels}
    told = any(plain(name) in TRUTH or file.columns[name].labels & labels for name in others)
    return [] if told else named


def _numbers_above(file: File) -> Names:
    """Find a header of numbers with decimals among them, which are no names of classes."""
    numbers = [name for name in file.columns if is_number(name)]
    enough = 2 * len(numbers) >= len(file.columns) > 2
    return numbers if enough and any("." in name for name in numbers) else []


def _probabilities(file: File) -> Names:
    """Find probabilities of three classes and more that no column holds."""
    named = [n for n in file.called(SCORE) if file.columns[n].unit and not file.columns[n].whole]
    classes = [" ".join(sorted(file.words[name] - SCORE)) for name in named]
    few = 2 < len(named) == len({*classes} - {""})
    if not few or file.speaks or not rows_sum_to_one(file.table, named):
        return []
    others = [column for name, column in file.columns.items() if name not in named]
    labels = {label.lower() for column in others for label in column.labels}
    coded = any(column.distinct == len(named) for column in others)
    return [] if coded or labels & set(classes) else named


_LEARNERS = frozenset({
    "regression", "regressor", "classifier", "forest", "tree", "trees", "boosting", "boost",
    "xgb", "xgboost", "lightgbm", "lgbm", "catboost", "svm", "svc", "svr", "knn", "lasso", "ridge",
    "mlp", "naive", "bayes", "gbm", "adaboost", "rf", "logistic", "logreg", "elastic", "lstm",
    "cnn", "bert", "baseline", "dummy",
})  # fmt: skip


def _methods(file: File) -> Names:
    """Find numbers below the names of methods, and little else but what numbers the rows."""
    named = [n for n in file.called(_LEARNERS) if file.columns[n].continuous]
    named = [n for n in named if not file.words[n] & (PREDICTION | SCORE - {"decision"})]
    rest = [name for name in file.columns if name not in named]
    others = [name for name in rest if not (file.columns[name].counting or _may_name(file, name))]
    few = len(named) < 2 or 2 * len(others) > len(named) or len(rest) > len(others) + 1
    spoken = any(speaks_of_prediction(name) or plain(name) in TRUTH for name in rest)
    return [] if few or spoken or file.table.n > _MOST_FOLDS else named


def _may_name(file: File, name: str) -> bool:
    """Tell whether a column may name the rows: no words repeat."""
    column = file.columns[name]
    return not column.numeric and column.distinct == column.present


def _submission(file: File) -> Names:
    """Find the one column beside ids, which is the truth or a prediction."""
    free = [n for n, c in file.columns.items() if not (_is_key(c) or c.constant or c.moment)]
    clusters = any(words & CLUSTER for words in file.words.values())
    if len(free) != 1 or len(file.columns) < 2 or clusters:
        return []
    return free if any(_is_key(column) for column in file.columns.values()) else []


def _is_key(column: Profile) -> bool:
    named = plain(column.name) in ID or plain(column.name).endswith("_id")
    spoken = words_of(column.name) & (_ABOUT_TRUTH | _ABOUT_PREDICTION)
    return (named and column.unique) or (column.counting and not spoken)


_MOST_FOLDS = 1000
"""Rows that may be folds where no column says so."""

_MOST_TARGETS = 6
"""Targets that are offered: a question has room for no more."""

ROWS_NEEDED = (
    "Numbers and intervals are worked out anew: open the file that holds a row per example, with "
    "its truth and what each model predicted."
)

_SECOND_FILE = "Choose the one that holds what really happened, or add a second file that holds it."

KINDS: tuple[FileKind, ...] = (
    FileKind(
        "report",
        "This is a text, and no table of rows and columns.",
        ROWS_NEEDED,
        _report,
        "How the model was made;we took all the rows there are;and left the last ones out",
        "prediction;yes;no",
    ),
    FileKind(
        "evaluation-table",
        "These are scores that MLflow gave to each answer ({0}), without a label to be predicted.",
        "Their means are all there is to tell. For labels or numbers, log the table of the "
        'predictions, with columns such as "target" and "prediction".',
        _mlflow,
        "inputs,outputs,token_count,toxicity/v1/score;q1,a1,12,0.01;q2,a2,14,0.02",
        "v1,v2;1,0.2;0,0.3",
    ),
    FileKind(
        "judge-scores",
        "These are verdicts of a judge ({0}), and no column says what was right.",
        "To see how far the judge is right, add a column or second file with the label that a "
        "person gave.",
        _judged,
        "question,answer,judge_score,rationale;q1,a1,3,short;q2,a2,5,good",
        "truth,judge_score,rationale;0,0.3,short;1,0.5,good",
    ),
    FileKind(
        "boxes",
        "These are boxes of objects ({0}): which of them match the true ones is not told.",
        "Match them with the true boxes first, and write a row for each: the truth, and its score.",
        _boxes,
        "image,x1,y1,x2,y2,score,label;0,1,2,5,6,0.9,cat;1,3,1,5,5,0.4,cat",
        "y_true,y_pred,x1,y1,x2,y2;a,b,1,2,5,6;b,b,3,1,5,5",
    ),
    FileKind(
        "detections",
        "{0} tells hits from errors; what the truth was and what was rightly left out is missing.",
        "Write a row for each example, also for those rightly left out, with columns for what "
        "really happened and for what was predicted.",
        _hits,
        "clip,label,probability,error_type;a,owl,0.8,true_positive;b,owl,0.4,false_negative",
        "clip,label,probability,kind;a,owl,0.8,bird;b,fox,0.4,mammal",
    ),
    FileKind(
        "survival",
        "This is survival data ({0}): of who had no event, it is not known when one came.",
        "Such times are not judged here. Write for one point in time who had the event by then, "
        "without those who were not followed so long.",
        _survival,
        "time,event,risk;13.8,0,-2.2;1.5,1,0.4;2.5,0,0.9",
        "time,label,prediction;13.8,0,0;1.5,1,1;2.5,0,1",
        (1, 2),
    ),
    FileKind(
        "ranking",
        "This is ranking data ({0}): documents are ranked within a query, not over all rows.",
        "Measures of ranked lists are not worked out here; relevance can be judged row by row.",
        _ranking,
        "query_id,doc_id,relevance,score;0,d0,3,3.2;0,d1,0,0.9;1,d2,1,0.2",
        "user,item,rating,prediction;0,a,3,3.2;0,b,1,0.9;1,c,1,0.2",
        (2, 3),
    ),
    FileKind(
        "ambiguous",
        "The truth could be {0}: the file has several labels per row (multi-label).",
        "Judge one target at a time: choose which column it is.",
        _labels,
        "id,y_true_art,y_prob_art,y_true_news,y_prob_news;1,1,0.8,1,0.7;2,0,0.3,0,0.9",
        "id,y_true,y_prob_art,y_prob_news;1,art,0.8,0.2;2,news,0.1,0.9",
        (0, _MOST_TARGETS),
    ),
    FileKind(
        "ambiguous",
        "The truth could be {0}: the file has several targets per row.",
        "Judge one target at a time: choose which column it is.",
        _targets,
        "true_height,pred_height,true_width,pred_width;1.5,1.4,3.5,3.2;2.5,2.4,1.5,1.2",
        "height,width,pred_height;1.5,3.5,1.2;2.5,1.5,2.6",
        (0, _MOST_TARGETS),
    ),
    FileKind(
        "multi-label",
        "The file has several labels per row (multi-label), in one cell ({0}).",
        "Write a column of yes and no for each label, true and predicted, and judge one at a time.",
        _labels_in_a_cell,
        "id,labels,predicted_labels;1,a|b,a;2,a,a|b;3,b|a,b",
        "id,labels,predicted;1,a|b,a|b;2,c,c;3,a|b,c",
    ),
    FileKind(
        "prediction-sets",
        "These are prediction sets ({0}), with several labels for a row.",
        "A row takes one predicted label, or a probability for each class.",
        _sets,
        "y_true,prediction_set,set_size;a,a|b,2;b,b,1",
        "y_true,data_set,prediction;a,s,a;b,s,a",
    ),
    FileKind(
        "texts",
        "These are sentences ({0}), not labels or numbers.",
        "How alike texts are is not judged here. Right or wrong per row can be: write the truth "
        "and the prediction as labels.",
        _texts,
        "reference,prediction;the cat sat down here,a cat sat here now;it rains all the day,it "
        "was raining all day",
        "reference,prediction;cat,dog;dog,dog",
    ),
    FileKind(
        "no-truth",
        "No column looks like the truth. {0} is called so, but has no value in any row. "
        "The columns are: {1}.",
        _SECOND_FILE,
        _blank_truth,
        "points,predictedOutcome,Outcome;1.5,W,;2.5,L,",
        "points,note,outcome;1.5,,W;2.5,,L",
    ),
    FileKind(
        "threshold-sweep",
        "These are finished metrics at several thresholds ({0}).",
        ROWS_NEEDED,
        sweep,
        "model,threshold,precision,recall;a,0.1,0.5,0.9;a,0.2,0.6,0.8",
        "y_true,threshold,score;0,0.1,0.5;1,0.1,0.6",
    ),
    FileKind(
        "training-history",
        "This is the history of a training ({0}): finished metrics, a row per epoch.",
        ROWS_NEEDED,
        history,
        "epoch,loss,val_loss;1,0.9,1.1;2,0.7,0.9",
        "item,epoch,correct;a,1,1;b,1,0",
    ),
    FileKind(
        "finished-metrics",
        "These are draws of finished metrics, such as a bootstrap makes ({0}).",
        ROWS_NEEDED,
        draws,
        "roc_auc,brier" + ";0.61,0.2;0.62,0.21;0.63,0.2;0.62,0.22;0.6,0.21" * 4,
        "roc_auc,fold;0.61,1;0.62,2",
    ),
    FileKind(
        "finished-metrics",
        "This is a table of finished metrics ({0}), not a row per example.",
        ROWS_NEEDED,
        finished,
        "Model,Mean_AUC,Std_AUC;forest,0.81,0.02;logit,0.78,0.03",
        "model,fold,auc;forest,1,0.81;forest,2,0.82;logit,1,0.78;logit,2,0.79",
    ),
    FileKind(
        "finished-metrics",
        "This is a table of finished metrics (named in {0}), not a row per example.",
        ROWS_NEEDED,
        listed_metrics,
        "metric,value;accuracy,0.8;f1,0.7",
        "word,score,label;accurate,0.8,1;recall,0.7,0",
    ),
    FileKind(
        "no-header",
        "The first row ({0}) is read as the names of columns, but looks like data.",
        "Write names above the columns. Needed are one column with the truth and, for each model, "
        "one with its predictions.",
        _numbers_above,
        "3,12.4,-15,W;2,2.4,-28,L;1,1.4,-31,W",
        "y_true,0,1,2;0,0.5,0.2,0.3;1,0.1,0.7,0.2",
    ),
    FileKind(
        "no-truth",
        "No column looks like the truth: none holds the classes that {0} are about. "
        "The columns are: {1}.",
        _SECOND_FILE,
        _probabilities,
        "home_team,is_final,p_home,p_draw,p_away;a,1,0.5,0.25,0.25;b,0,0.25,0.25,0.5",
        "winner,p_home,p_draw,p_away;home,0.5,0.25,0.25;draw,0.25,0.25,0.5",
    ),
    FileKind(
        "ambiguous",
        "The scores could be {0}: the columns are called like methods, and nothing is called the "
        "truth or a prediction.",
        "If each row is a fold, choose that; if it is an example, add a file with the truth.",
        _methods,
        "lasso_regression,random_forest;0.42,0.31;0.44,0.35;0.41,0.33",
        "lasso_regression,forest_area;0.42,yes;0.44,no",
        offer=Offer("Each row is a fold", "task", Task.FOLDS.value),
    ),
    FileKind(
        "one-column",
        "Beside ids there is one column, {0}: it holds either the truth or predictions.",
        "Add a second file that holds the other, with the same ids.",
        _submission,
        "ID,stance;4,None;7,Favor;9,None;12,None;13,Favor;15,None",
        "ID,stance,stance_pred;4,None,None;7,Favor,None",
    ),
)

_HORIZON = frozenset({"horizon", "lead", "ahead", "series", "store", "sku"})

_MOST_SLICES = 50
"""Slices that are told from each other at a glance."""


def slices_of_forecasts(table: Table, roles: Roles) -> Iterator[Notice]:
    """Offer the horizon and the series of forecasts as what errors are sliced by."""
    if roles.task is not Task.REGRESSION or roles.group:
        return
    named = [n for n in table.names if words_of(n) & _HORIZON and n not in roles.reasons]
    free = [name for name in named if 1 < profile(table, name).distinct <= _MOST_SLICES]
    if free:
        message = f"Errors may differ with {listed(free)}; they are worked out over all rows."
        offers = tuple(Offer(f'Slice by "{shorten(name)}"', "group", name) for name in free)
        yield Notice("forecasts", message, column=free[0], offers=offers)

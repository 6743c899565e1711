"""Write formats.md from the declarations of the tools: python docs/make_formats.py."""

from pathlib import Path

from evalcore.inputs import POSITIVE
from evalread.dataset import SCHEMA, Choice
from evalread.detection.evidence import MARGIN, RULES, Rule
from evalread.detection.kinds import KINDS, FileKind
from evalread.detection.profile import WORDS
from evalread.tools import TOOLS

_TOP = """# What can be dropped

Drop a file of predictions. Its format is detected from its content first and its name second. The
page Data shows how the file was read and why; all of it can be changed there or on the command
line.

This page is made by `docs/make_formats.py` from `evalread/tools.txt`.

## Formats

| format | read |
| --- | --- |
| delimited text | any common separator, encoding and number marks; header or none |
| Parquet, Feather | typed columns; integers, floats, decimals, dictionaries, booleans, text |
| Excel (.xlsx) | the first sheet whose header names truth or predictions, or the chosen one |
| JSON | records, `{"columns": [...], "data": [[...]]}`, columns as lists, what pandas writes |
| JSON lines | an object per line |
| ARFF | dense or sparse |
| Orange | three header rows, or prefixes such as `mS#` |
| NumPy (.npy, .npz) | numbers and text, never pickled objects; `classes` names columns |
| printed tables | as Markdown, MySQL, PostgreSQL, Spark, pandas, R and Weka print them |
| gzip, zip | one of the above, or several: a file per model, a solution and its predictions |

Every cell is read as text first; the role of its column then decides its type. Labels stay text:
`01` is not `1`, and `NA` or `None` is a label; only a blank cell is missing. Where truth and
predictions are all numbers they are compared by value (`1.0` is `1`). In columns of numbers
blank, `NaN`, `NA`, `n/a`, `null`, `None`, `?` and `.` are missing, and counted. A label that
usually stands for a missing value (`unknown`, `NA`; a rare `9`, `99`, `-9` or the like apart from
the other numbers) is a class until you leave its rows out, which is offered where no model predicts
it or a score of two classes is not used (`--ignore-label`).

## Roles

A column’s role is found from its name, then from its values, and its reason is always given. A role
is sure if you or the tool that wrote the file say so, or if a plain name and the values agree;
likely if the name suggests it and the values allow it; and a guess if only one of them does. Where
two readings are possible you are asked, with a preview of each.

| role | names (among others) |
| --- | --- |
| truth | {truth} |
| prediction | {prediction} |
| score | {score}; or one of these with a model (`rf_score`, `score_A`) or a class (`p_fraud`) |
| fold | {fold} |
| weight | {weight} |
| count | {count} |
| group of dependent rows, values repeat | {unit}; the same with `_id` |
| slice | {group} |
| id | {id} |

- A column of probabilities named after a class belongs to that class, wherever it stands: `p_yes`,
  `yes_score`, `prob_Non_Fraud` of "Non Fraud"; of the classes 0 and 1 also `prob_false` and
  `prob_true`.
- Columns named after a model and each class of the truth (`gbm_cat`, `gbm_dog`, or `cat_gbm`,
  `dog_gbm`) that sum to 1 in each row are the probabilities of that model, beside its label
  `gbm_pred` or `gbm`.
- Lists of probabilities are read where the classes are 0, 1, 2 ..., or another list names them;
  objects by their names. A truth of one column per class, 1 in one of them, is one column of
  classes.
- A score that is at least 0.5 for both predicted labels, so that no threshold separates them, is
  the probability of the predicted label.
- The positive class is the one that a score column is named after; otherwise the one to which the
  models' own labels assign high scores, then a word such as {positive}, then the rarer class.
- A score in [0, 1] is a probability. One with percent signs is divided by 100. Any other score
  ranks the rows and is not a probability until you say that it is in percent or in log-odds.
- Never truth and never prediction: ids, dates, constants, row numbers, and columns called
  correct, error or residual. A column that predicts another column is not a model of the truth.
- A last row that is named as a total or a mean, and is one, is left out. Training rows are reported
  and counted.

Names may say nothing of a model. A column that holds the truth’s classes in nearly every row, and
the right one far more often than by chance, or numbers that rank two classes about as well as the
models do, are not used, but offered as further models.

## How the truth is found

Some files prove it: a residual is the truth minus its prediction, an absolute error their distance,
and a column called correct says in which rows they are equal. Otherwise each of these findings is
evidence for or against a column, and the points add up:

| points | evidence for or against a column |
| --- | --- |
{rules}

A column that leads by {margin} points is used; if two are closer, you are asked, with the
likeliest first. The order of rows and columns does not matter. A truth found by its values alone
is called a guess above every number, and `inspect --explain` prints the points of a file.

## Counts and confusion matrices

A row may stand for many examples. A column of whole numbers named like a count is read as one if no
two rows agree in all other columns, as in `truth, prediction, n` or `score, truth, n`, also by
model or by group. Every number, interval and test is then that of each row repeated so many times.

A confusion matrix is read as such a table, from a file or pasted:

- A row and a column for each class, in any order, also where a class is missing on one side, and
  without names of the rows. Margins, totals, precision and recall next to it are ignored.
- `TN`, `FP`, `FN` and `TP`, or `true negatives` and so on: as columns, with a row for each model,
  or as rows of name and value.
- As scikit-learn, NumPy, pandas, R, caret, randomForest, Weka and RapidMiner print or save it.

The corner (`actual`, `true \\ predicted`), the names of rows or columns (`pred_yes`), or the
numbers next to each row (recall of true classes, precision of predicted ones) show which side is
the truth. If nothing does, you are asked (`--truth rows` or `--truth columns`). Shares instead of
counts are refused: they do not show how many examples there are.

`evalboard counts` writes such a table of any data, as Parquet or CSV. What it holds stands in the
file (in its metadata, or its first line): roles, digits and a checksum. It is read without any
question.

## Several models

- Side by side: a column (or label, score and probabilities) per model.
- One below the other: a column such as `model` names the model of each row. Rows of the same
  example are matched by an id, by several columns that together are one, or by their order where
  the truth is the same. Where each id has one row, with the same truth, for each value of
  another column, you are asked whether that names the models.
- In several files: one per model, or the truth in one and predictions in others. Rows are
  matched on the id column they share. Rows without a match, repeated or in another order are
  counted. If all files name their column the same way, the file named solution or truth has the
  truth. Without an id, files of the same length and the same truth are matched by position,
  with a warning.
- Models may have rows of their own: in one file, where they share no id and no order, or in one
  file each, such as the test sets of two hospitals. Then nothing is matched, and models are
  compared as independent samples. If ids overlap in part, those rows are matched; each model keeps
  all its rows. Where the rows may be the same (equally many of each class in another order, an id
  under which the truth differs, files called folds or parts) you are asked; `--own-rows` says that
  they are not, `--model ""` that there is one model. A column `model` with fewer than 10 rows per
  name, or more than 20 names, is read as a description of the rows unless it was chosen (`--model
  COL`).

## Right or wrong

A file may say only whether a model was right on each item: `1` or `0`, `true` or `false`, `pass`
or `fail`, `correct` or `incorrect`, `yes` or `no`. It is read as such (`--task right-or-wrong`)
if there is no truth or prediction, and

- a column such as `correct`, `passed`, `is_correct`, `exact_match`, `solved` or `success` stands
  next to a column `model`, or next to the items (`item`, `question`, `task_id`, `problem` ...);
- or each model has its own column: `gpt_correct`, `passed_a`, or with named items any name, which
  is reported as a guess; `--correct [MODEL=]COL` settles it.

An item may have several rows of a model (epochs, attempts): it counts once, by the share of its
tries that were right, and models are paired by item. A column such as `category`, `subject` or
`task` groups the items. Accuracy and comparisons follow, but nothing about classes. With truth
and predictions a column `correct` is ignored: it follows from them.

## One score per fold

A file may hold scores instead of rows: a row per fold (and model), or a column per model. Then
models can be compared, and nothing else. Folds are matched by name, never by place.

| role | names (among others) |
| --- | --- |
| repeat | {repeat} |
| data set | {dataset} |
| training rows | {train} |
| test rows | {test} |

The metric is read from the column's name (`accuracy`, `rf_auc`, `rf~RMSE`); columns about training
or time are not scores. `model_A` next to `score_A` names the model in each row. Columns named like
metrics are enough to identify such a table: text columns that distinguish the rows of a fold then
name the model together, or the data set (`ticker`, `country`, `subject`); a row per metric, or a
column per fold (`fold1`, `fold2`), is pivoted; in nested folds the outer fold contains the inner;
rows named mean, all or train are left out, with a notice.

## Files that are something else

Such files are refused, saying what they are, before any truth is guessed; `--truth COL` overrides
this.

| code | what it is | what can be done |
| --- | --- | --- |
{kinds}

## Clusterings

Columns named after clusters ({cluster}), also with a number (`kmeans3`, `k_means`), after their
number (`ward_k3`; `cut_3` with `cut_4`) or after a resolution (`res.0.6`) are clusterings; a column
of classes next to them is the truth; the other numeric columns are the features. If columns called
after a method hold the classes of another column in words, they are predicted labels. `-1` is
noise. Clusterings are never features of each other. Nor are silhouettes, distances from a centre,
and counts of reads or genes (`nCount_RNA`, `percent.mt`). If there are coordinates such as `PC_1`
and `PC_2`, they are the only features. Whole numbers that number the rows, in whatever order and by
whatever name, are left out and offered as a feature. A file without features
shows how far its clusterings agree.

Numeric columns that form a symmetric square with 0 on the diagonal are read as distances between
the rows. Text columns become features when they are chosen (on the Data page, or `--feature`); the
distance of two rows is then the share of features in which they differ.

## Choices

Whatever you do not choose is detected. Each choice is an option on the command line (`--truth
COL`), a parameter of the address (`truth=COL`) and an argument in Python (`ec.read(path,
truth="COL")`); questions and refusals offer these choices.

| option | meaning |
| --- | --- |
{said}

- Rows whose truth is left out by `--ignore-label` are not counted anywhere. A label that a model
  predicts and no row has remains a class.
- `--merge-label FROM=TO` applies to the truth, to predicted labels and to probabilities, which
  add up.
- With `--missing wrong` a row with a truth but no predicted label is wrong: it counts in accuracy
  and in the recall of its class, and as a prediction of no class. Without it such rows are left
  out, with a warning that says what the accuracy would be.
- With `--score-scale confidence` a score is the probability of the predicted label. With more than
  two classes it gives the calibration of that label and nothing about the others.

## Tools

| tool | columns | notes |
| --- | --- | --- |
"""


def page() -> str:
    """Return the whole page."""
    top = _TOP
    words = {
        "truth": WORDS.in_order["truth"][:16],
        "prediction": sorted(WORDS.prediction)[:16],
        "score": sorted(WORDS.score)[:16],
        "fold": sorted(WORDS.fold),
        "weight": sorted(WORDS.weight),
        "count": sorted(WORDS.count)[:16],
        "group": sorted(WORDS.group),
        "unit": sorted(WORDS.unit),
        "id": sorted(WORDS.id)[:12],
        "positive": POSITIVE[:8],
        "repeat": sorted(WORDS.repeat),
        "dataset": sorted(WORDS.dataset),
        "train": sorted(WORDS.train_size),
        "test": sorted(WORDS.test_size),
        "cluster": WORDS.in_order["cluster"][:3] + WORDS.in_order["clusterer"][:6],
    }
    for role, names in words.items():
        top = top.replace("{" + role + "}", ", ".join(f"`{name}`" for name in names))
    top = top.replace("{kinds}", "\n".join(map(_kind, KINDS)))
    rules = [_rule(rule) for rule in RULES]
    top = top.replace("{rules}", "\n".join(rules)).replace("{margin}", str(MARGIN))
    top = top.replace("{said}", "\n".join(map(_said, SCHEMA)))
    rows = [f"| {tool.tool} | {tool.columns} | {tool.says} |" for tool in TOOLS]
    return top + "\n".join(rows) + "\n"


def _rule(one: Rule) -> str:
    """Return the line of a rule, with a column that it holds for."""
    return f"| {one.points:+} | {one.says.replace('{}', '...')}: `{one.about}` |"


def _kind(one: FileKind) -> str:
    """Return the line of a kind of file that is refused."""
    says = one.says.replace(" ({0})", "").replace("{0}", "COL")
    return f"| `{one.code}` | {says.partition(' The columns are')[0]} | {one.remedy} |"


def _said(one: Choice) -> str:
    """Return the line of a choice."""
    words = [word.value for word in one.words or () if word is not one.never]
    taken = f" {one.shape}" if one.shape else f" {'|'.join(words)}" if words else ""
    escaped = taken.replace("|", "\\|")
    return f"| `--{one.option}{escaped}` | {one.told} |"


if __name__ == "__main__":
    Path(__file__).with_name("formats.md").write_text(page(), encoding="utf-8")

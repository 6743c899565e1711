"""Write formats.md from the declarations of the tools: python docs/make_formats.py."""

from pathlib import Path

from evalcore.inputs import POSITIVE
from evalread.dataset import SCHEMA, Choice
from evalread.detection.evidence import MARGIN, RULES, Rule
from evalread.detection.kinds import KINDS, FileKind
from evalread.detection.profile import WORDS
from evalread.tools import TOOLS

_TOP = """# What can be dropped

Drop a file of predictions. Its format is told by its content first and by its name second. What
was read, and why, is shown on the page Data, and every part of it can be changed there or on the
command line.

This page is made by `docs/make_formats.py` from `evalread/tools.txt`.

## Formats

| format | read |
| --- | --- |
| delimited text | any common separator, encoding and number marks; header or none |
| Parquet, Feather | typed columns; integers, floats, decimals, dictionaries, booleans, text |
| Excel (.xlsx) | the first sheet whose header speaks of truth or predictions, or the chosen one |
| JSON | records, `{"columns": [...], "data": [[...]]}`, columns as lists, what pandas writes |
| JSON lines | an object per line |
| ARFF | dense or sparse |
| Orange | three header rows, or prefixes such as `mS#` |
| NumPy (.npy, .npz) | numbers and text, never pickled objects; `classes` names columns |
| printed tables | as Markdown, MySQL, PostgreSQL, Spark, pandas, R and Weka print them |
| gzip, zip | one of the above, or several: a file per model, a solution and its predictions |

Every cell is read as text first, and given a type by the role of its column. Labels stay text:
`01` is not `1`, and `NA` or `None` is a label; only a blank cell is missing. Where truth and
predictions are all numbers they are compared by value (`1.0` is `1`). In columns of numbers
blank, `NaN`, `NA`, `n/a`, `null`, `None`, `?` and `.` are missing, and counted.

## Roles

A role is found by the name of its column, then by its values, and always has a reason. It is
sure where you or the tool that wrote the file say so, or where a plain name and the values agree;
likely where a name says so and the values allow it; a guess where only one of them speaks. Where
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

- A column of probabilities named after a class belongs to that class, whatever its place: `p_yes`,
  `yes_score`, `prob_Non_Fraud` of "Non Fraud"; of the classes 0 and 1 also `prob_false` and
  `prob_true`.
- Lists of probabilities are read where the classes are 0, 1, 2 ..., or another list names them;
  objects by their names. A truth of one column per class, 1 in one of them, is one column of
  classes.
- A score that is 0.5 or more under both predicted labels, so that no threshold parts them, is the
  probability of the predicted label.
- The positive class is the one a score column is named after, else the one that the models' own
  labels give to high scores, else a word such as {positive}, else the rarer one.
- A score in [0, 1] is a probability. One with percent signs is divided by 100. Any other ranks
  the rows and is no probability, until you say that it is in percent or in log-odds.
- Never truth and never prediction: ids, dates, constants, row numbers, and columns called
  correct, error or residual. What predicts another column is no model of the truth.
- A last row that is called a total or a mean, and is one, is left out. Training rows are told, and
  counted.

## How the truth is found

Some files prove it: a residual is the truth minus its prediction, an absolute error their distance,
and a column called correct says in which rows they are equal. Else each of these things speaks for
a column or against it, and the points add up:

| points | what speaks for or against a column |
| --- | --- |
{rules}

A column that leads by {margin} points is taken; if two are closer, you are asked, with the
likeliest first. The order of rows and columns decides nothing. What was taken by its values alone
is called a guess above every number, and `inspect --explain` prints the points of a file.

## Counts and confusion matrices

A row may stand for many examples. Whole numbers called a count are one where no two rows are alike
in all other columns, as in `truth, prediction, n` or `score, truth, n`, also by model or
by group. Every number, interval and test is then that of the rows written out so many times.

A confusion matrix is read as such a table, from a file or pasted:

- A row and a column for each class, in any order, also where a class is missing on one side, and
  without names of the rows. Margins, totals, precision and recall beside it are left aside.
- `TN`, `FP`, `FN` and `TP`, or `true negatives` and so on: as columns, a row for each model, or as
  rows of name and value.
- As scikit-learn, NumPy, pandas, R, caret, randomForest, Weka and RapidMiner print or save it.

Which side is the truth is told by the corner (`actual`, `true \\ predicted`), by the names of rows
or columns (`pred_yes`), or by what stands beside each row (recall of true classes, precision of
predicted ones). Where nothing tells, you are asked (`--truth rows` or `--truth columns`). Shares
instead of counts are refused: they do not tell how many examples there are.

## Several models

- Side by side: a column (or label, score and probabilities) per model.
- One below the other: a column such as `model` names the model of each row. Rows of the same
  example are matched by an id, by several columns that together are one, or by their order where
  the truth is the same. Where each id has a row, with the same truth, for each word of another
  column, you are asked whether that names the models.
- In several files: one per model, or the truth in one and predictions in others. Rows are
  matched on the id column they share. What has no match, stands twice or is in another order is
  counted. Where all files call their column alike, the file that is called solution or truth has
  the truth. Without an id, files of the same length and the same truth are matched by position,
  with a warning.
- Models may have rows of their own: in one file, where they share no id and no order, or in a file
  each, such as the test sets of two hospitals. Then nothing is matched, and they are compared as
  independent samples. Ids that overlap in part match what they can; each model keeps all its rows.
  Where the rows may be the same (equally many of each class in another order, an id under which the
  truth differs, files called folds or parts) you are asked; `--own-rows` says that they are not,
  `--model ""` that there is one model. A column `model` with fewer than 10 rows a name, or more
  than 20 names, that was not chosen (`--model COL`) is taken to describe the rows.

## Right or wrong

A file may say of each item only whether a model was right: `1` or `0`, `true` or `false`, `pass`
or `fail`, `correct` or `incorrect`, `yes` or `no`. It is read as such (`--task right-or-wrong`)
where no truth and no prediction says more, and

- a column such as `correct`, `passed`, `is_correct`, `exact_match`, `solved` or `success` stands
  beside a column `model`, or beside the items (`item`, `question`, `task_id`, `problem` ...);
- or each model has a column of its own: `gpt_correct`, `passed_a`, or beside named items any name,
  which is said as a guess; `--correct [MODEL=]COL` settles it.

An item may have several rows of a model (epochs, attempts): it counts once, by the share of its
tries that were right, and models are paired by item. A column such as `category`, `subject` or
`task` groups the items. Accuracy and comparisons follow, and nothing about classes. Beside truth
and predictions a column `correct` is left aside: it follows from them.

## One score per fold

A file may hold scores instead of rows: a row per fold (and model), or a column per model. Then
models can be compared, and nothing else. Folds are matched by name, never by place.

| role | names (among others) |
| --- | --- |
| repeat | {repeat} |
| data set | {dataset} |
| training rows | {train} |
| test rows | {test} |

What was scored is told by the column's name (`accuracy`, `rf_auc`, `rf~RMSE`); columns about
training or time are no scores. `model_A` beside `score_A` names the model in each row. Columns that
are called metrics prove such a table by themselves: then columns of words that tell the rows of a
fold apart name the model together, or the data set (`ticker`, `country`, `subject`); a row per
metric, or a column per fold (`fold1`, `fold2`), is spread; of nested folds the outer holds the
inner; rows called mean, all or train are left out, and that is said.

## What is something else

Such files are refused with what they are, before any truth is guessed; `--truth COL` overrules it.

| code | what it is | what can be done |
| --- | --- | --- |
{kinds}

## Clusterings

Columns named after clusters ({cluster}), after their number (`ward_k3`; `cut_3` beside `cut_4`) or
after a resolution (`res.0.6`) are clusterings; a column of classes beside them is the truth; the
other columns of numbers are the features. `-1` is noise. Clusterings are never features of each
other. Nor are silhouettes, distances from a centre, and what counts reads or genes (`nCount_RNA`,
`percent.mt`). Coordinates such as `PC_1` and `PC_2` are the features, and not what stands beside
them. A file without features tells how far its clusterings agree.

Columns of numbers that are as many as there are rows, with 0 on the diagonal and the same values
both ways, are read as distances between the rows. Columns of words become features when they are
chosen (on the Data page, or `--feature`); the distance of two rows is then the share of features in
which they differ.

## What may be said

Whatever is not said is detected. Each of these is an option of the command line (`--truth COL`),
a parameter of the address (`truth=COL`) and an argument in Python (`ec.read(path, truth="COL")`);
what a question or a refusal offers is one of them.

| option | what it says |
| --- | --- |
{said}

- Rows whose truth is left out by `--ignore-label` count nowhere. A label that a model says and no
  row has stays a class.
- `--merge-label FROM=TO` holds for the truth, for what models say and for their probabilities,
  which add up.
- With `--missing wrong` a row with a truth and no predicted label is wrong: it counts in accuracy
  and in the recall of its class, and as none of the classes, so that no average has one more.
  Without it such rows are left out, with a warning that says what the accuracy would be.
- With `--score-scale confidence` a score is the probability of the predicted label. Of more than
  two classes it gives the calibration of that label, and nothing about the others.

## Tools

| tool | columns | what is known of them |
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
        "cluster": sorted(WORDS.cluster)[:7],
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
    """Return the line of what speaks for or against a column, with one that it is true of."""
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

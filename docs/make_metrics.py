"""Write metrics.md from the declarations of the metrics: python docs/make_metrics.py."""

from pathlib import Path

from evalcore.metrics.catalog import PARAMETRIC
from evalcore.metrics.metric import Family, Metric
from evalview.explained.lookup import DIRECTIONS, FAMILIES, entries
from evalview.explained.snippets import sklearn_call

_TOP = """# What each number means

The public names of all {count} metrics, what they mean and how they are defined. The dashboard
shows the same on its page "Glossary", worked out for your rows.

This page is made by `docs/make_metrics.py` from the declarations in `evalcore/metrics/`.

- In formulas TP, FP, FN and TN are true and false positives and negatives; of agreement they are
  pairs of points: together in class and cluster (TP), in the cluster only (FP), in the class only
  (FN), in neither (TN). y is the truth, p a probability, f a predicted number, n the number of
  rows, or the sum of their weights.
- Undefined is not zero: where a metric is undefined there is no number but the reason.
- Of several classes, a metric of two is given for each class against the rest, and as macro,
  micro and weighted mean. Means are over the classes that occur in the truth, which are the same
  for every model; scikit-learn's, without `labels=np.unique(truth)`, count a label that only a
  model says as a class with an F1 score of 0.
- Total cost, mean cost and weighted accuracy take costs or weights that only you can give: the
  dashboard shows them on its page "Costs".
- A metric that takes a setting is asked for with it in brackets, such as `f_beta(3)`, in Python and
  by `evalboard compare --metric`:
  {settings}.
"""


def page() -> str:
    """Return the whole page."""
    settings = ",\n  ".join(f"`{name}(…)`" for name in PARAMETRIC)
    top = _TOP.format(count=len(entries()), settings=settings)
    return "\n".join([top, *(_family(family) for family in Family)])


def _family(family: Family) -> str:
    metrics = [metric for metric in entries().values() if metric.family is family]
    return "\n".join([f"## {FAMILIES[family]}", "", *map(_metric, metrics)])


def _metric(metric: Metric) -> str:
    facts = {
        "Range": f"{metric.low:.4g} to {metric.high:.4g}, {DIRECTIONS[metric.better]}",
        "Undefined when": metric.undefined_when,
        "Infinite when": metric.infinite_when,
        "Beware": metric.misleads,
        "Also called": ", ".join(metric.synonyms),
        "Interval": metric.interval.says,
        "scikit-learn": f"`{call}`" if (call := _call(metric)) else "",
        "Source": _source(metric),
    }
    lines = [f"- {name}: {said}" for name, said in facts.items() if said]
    title = f"### {metric.name} (`{metric.key}`)"
    return "\n".join([title, "", metric.summary, "", f"$${metric.formula}$$", "", *lines, ""])


def _call(metric: Metric) -> str:
    return sklearn_call(metric) or sklearn_call(metric, classes=3)


def _source(metric: Metric) -> str:
    source = metric.source
    url = source.url.replace("<", "%3C").replace(">", "%3E")
    return f"[{source.text}](<{url}>)" if url else source.text


if __name__ == "__main__":
    Path(__file__).with_name("metrics.md").write_text(page(), encoding="utf-8")

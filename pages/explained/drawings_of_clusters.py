"""The Python that draws the figures of clusterings, by the figure's key."""

from collections.abc import Mapping
from types import MappingProxyType

from pages.explained.drawing import Drawing

_EVALUATE = (
    "from evalcore.evaluate import evaluate",
    "from evalcore.options import Options",
)
_RANDOM = "import numpy as np"


def _by_clusters(key: str, name: str) -> Drawing:
    lines = f"""\
found = evaluate(dataset, Options()).clusterings
clusters = [len(one.clusters) for one in found.values()]
values = [one.points["{key}"].value for one in found.values()]
figure.add_scatter(x=clusters, y=values, text=list(found), mode="markers+text")
"""
    return Drawing(_EVALUATE, lines, "clusters", name)


CLUSTERS: Mapping[str, Drawing] = MappingProxyType(
    {
        "silhouette": Drawing(
            ("from evalcore.clusters.silhouette import silhouette",),
            """\
judged = silhouette(dataset.clusterings[MODEL])
figure.add_bar(y=sorted(judged.values))
""",
            "points",
            "silhouette",
        ),
        "map": Drawing(
            (_RANDOM, "from evalcore.clusters.layout import by_spread"),
            """\
points = dataset.clusterings[MODEL]
plane = by_spread(points, np.random.default_rng(0))  # principal components
for code, name in enumerate(points.names):
    own = points.cluster[plane.place] == code
    figure.add_scatter(x=plane.x[own], y=plane.y[own], name=name, mode="markers")
""",
            "first component",
            "second component",
        ),
        "contingency": Drawing(
            _EVALUATE,
            """\
table = evaluate(dataset, Options()).clusterings[MODEL].contingency
counts = [[0] * len(table.clusters) for _ in table.classes]
for row, column, cell in zip(table.row, table.column, table.cells):
    counts[row][column] = int(cell)
figure.add_heatmap(x=table.clusters, y=table.classes, z=counts)
""",
            "cluster",
            "true class",
        ),
        "gap-curve": Drawing(
            (_RANDOM, "from evalcore.lab.gap import gap_statistic"),
            """\
told = gap_statistic(dataset.clusterings[MODEL].features, np.random.default_rng(0))
figure.add_scatter(x=told.clusters, y=told.gap, error_y={"array": told.error})
""",
            "clusters",
            "gap statistic",
        ),
        "by-silhouette": _by_clusters("silhouette", "mean silhouette"),
        "by-within_ss": _by_clusters("within_ss", "within sum of squares"),
        "by-calinski_harabasz": _by_clusters("calinski_harabasz", "Calinski-Harabasz index"),
        "by-davies_bouldin": _by_clusters("davies_bouldin", "Davies-Bouldin index"),
    }
)

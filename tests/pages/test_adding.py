"""A clustering added to a file: nothing else changes, and it is read again as it was made."""

import numpy as np

from evalcore.outcomes import Points
from evalread.binding import bind
from evalread.dataset import Choices, Task
from evalread.detection.roles import detect
from evalread.loading import load, read
from evalview.lab.grouping import with_clustering

KNOWN = Choices(task=Task.CLUSTERING, clusterings={"k": "k"}, features=("x", "y"))
FILE = b'x,y,kind,k\n1,2,"a, b",0\n1,,c,0\n9,8,c,1\n9,9,=d,1\n'


def reread(dataset, codes, name):
    beside = dataset.clusterings["k"]
    data, choices, column = with_clustering(dataset, beside, np.array(codes), name)
    table = read("f.csv", data, choices)
    return bind(table, detect(table, choices)), column


def test_the_new_clustering_is_read_again_beside_the_old_one():
    old = load([("f.csv", FILE)], KNOWN)
    new, column = reread(old, [0, -1, 1], "mine k2")
    assert column == "mine k2"
    assert tuple(new.clusterings) == ("k", "mine k2")
    made = new.clusterings[column]
    assert isinstance(made, Points)
    assert made.cluster.tolist() == [0, -1, 1]
    assert made.rows is not None
    assert made.rows.tolist() == [1, 3, 4]
    np.testing.assert_array_equal(made.features, old.clusterings["k"].features)
    assert new.table.columns["kind"].to_pylist() == ["a, b", "c", "c", "=d"]
    assert new.roles.features == old.roles.features


def test_a_name_that_is_taken_gets_a_number():
    old = load([("f.csv", FILE)], KNOWN)
    new, column = reread(old, [0, 0, 1], "k")
    assert column == "k (2)"
    assert tuple(new.clusterings) == ("k", "k (2)")

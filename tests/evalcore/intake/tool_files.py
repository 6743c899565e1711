"""One small file per tool, as that tool writes it, and what it has to be read as.

Each expectation is (tool, truth, positive or None, model -> (rows, labels, scores)), where scores
are those of the positive class, or for more classes the rows of probabilities; labels are written
out. Regression models have predictions in the place of scores.
"""

from dataclasses import dataclass, field
from typing import Any

from .files import File, csv, jsonl

Answers = dict[str, tuple[list[str] | None, list[Any] | None]]
"""Model -> its labels and its scores."""


@dataclass(frozen=True)
class Example:
    name: str
    files: list[File]
    tool: str | None
    truth: str
    true: list[Any]
    models: Answers
    positive: str | None = None
    fold: str | None = None
    id: str | None = None
    choices: dict[str, Any] = field(default_factory=dict)


YES_NO_TRUTH = csv("id,y\n1,no\n2,yes\n3,yes\n", "truth.csv")

EXAMPLES = [
    Example(
        "scikit-learn",
        [csv(",y_true,y_pred,y_score\n0,0,0,0.1\n1,1,1,0.8\n2,1,0,0.4\n")],
        None,
        "y_true",
        ["0", "1", "1"],
        {"y_score": (["0", "1", "0"], [0.1, 0.8, 0.4])},
        positive="1",
        id="column 1",
    ),
    Example(
        "caret",
        [
            csv(
                '"","pred","obs","rowIndex","No","Yes","mtry","Resample"\n'
                '"1","No","No",1,0.8,0.2,2,"Fold1"\n"2","Yes","Yes",2,0.3,0.7,2,"Fold2"\n'
                '"3","No","No",1,0.6,0.4,4,"Fold1"\n"4","No","Yes",2,0.55,0.45,4,"Fold2"\n'
            )
        ],
        "caret",
        "obs",
        ["No", "Yes"],
        {"mtry=2": (["No", "Yes"], [0.2, 0.7]), "mtry=4": (["No", "No"], [0.4, 0.45])},
        positive="Yes",
        fold="Resample",
        id="rowIndex and Resample",
    ),
    Example(
        "caret by write.table",
        [
            csv(
                '"pred" "obs" "No" "Yes"\n"1" "No" "No" 0.8 0.2\n'
                '"2" "Yes" "Yes" 0.3 0.7\n"3" "No" "Yes" 0.6 0.4\n'
            )
        ],
        "caret",
        "obs",
        ["No", "Yes", "Yes"],
        {"caret": (["No", "Yes", "No"], [0.2, 0.7, 0.4])},
        positive="Yes",
        id="column 1",
    ),
    Example(
        "caret regression",
        [csv("pred,obs,rowIndex\n1.25,1.5,1\n2.25,2.0,2\n3.5,3,3\n")],
        "caret",
        "obs",
        [1.5, 2.0, 3.0],
        {"pred": (None, [1.25, 2.25, 3.5])},
        id="rowIndex",
    ),
    Example(
        "tidymodels",
        [
            csv(
                ".pred_class,.pred_setosa,.pred_virginica,.row,id,Species\n"
                "setosa,0.9,0.1,1,Fold1,setosa\nvirginica,0.2,0.8,2,Fold2,virginica\n"
                "setosa,0.75,0.25,3,Fold1,virginica\n"
            )
        ],
        "tidymodels",
        "Species",
        ["setosa", "virginica", "virginica"],
        {"tidymodels": (["setosa", "virginica", "setosa"], [0.9, 0.2, 0.75])},
        positive="setosa",
        fold="id",
        id=".row",
    ),
    Example(
        "tidymodels configurations",
        [
            csv(
                ".pred_class,.pred_no,.pred_yes,.row,.config,churn\n"
                "no,0.9,0.1,1,Model1,no\nyes,0.25,0.75,2,Model1,yes\n"
                "no,0.8,0.2,1,Model2,no\nyes,0.1,0.9,2,Model2,yes\n"
            )
        ],
        "tidymodels",
        "churn",
        ["no", "yes"],
        {"Model1": (["no", "yes"], [0.1, 0.75]), "Model2": (["no", "yes"], [0.2, 0.9])},
        positive="yes",
        id=".row",
    ),
    Example(
        "tidymodels regression",
        [csv(".pred,.pred_lower,.pred_upper,.row,mpg\n20.5,18,22,1,21\n22.25,20,24,2,22.75\n")],
        "tidymodels",
        "mpg",
        [21.0, 22.75],
        {"tidymodels": (None, [20.5, 22.25])},
        id=".row",
    ),
    Example(
        "mlr3",
        [
            csv(
                "row_ids,truth,response,prob.M,prob.R\n1,M,M,0.9,0.1\n2,R,M,0.6,0.4\n3,R,R,0.1,0.9\n"
            )
        ],
        "mlr3",
        "truth",
        ["M", "R", "R"],
        {"mlr3": (["M", "M", "R"], [0.9, 0.6, 0.1])},
        positive="M",
        id="row_ids",
    ),
    Example(
        "mlr3 regression",
        [csv("row_ids,truth,response\n1,1.5,1.25\n2,2.5,3.5\n")],
        "mlr3",
        "truth",
        [1.5, 2.5],
        {"mlr3": (None, [1.25, 3.5])},
        id="row_ids",
    ),
    Example(
        "OpenML",
        [
            (
                "predictions.arff",
                b"% OpenML run\n@relation r\n@attribute repeat numeric\n@attribute fold numeric\n"
                b"@attribute sample numeric\n@attribute row_id numeric\n"
                b"@attribute prediction {a,'b c'}\n@attribute correct {a,'b c'}\n"
                b"@attribute confidence.a numeric\n@attribute 'confidence.b c' numeric\n@data\n"
                b"0,0,0,1,a,a,0.9,0.1\n0,0,0,2,'b c',a,0.4,0.6\n0,1,0,3,'b c','b c',0.25,0.75\n",
            )
        ],
        "OpenML",
        "correct",
        ["a", "a", "b c"],
        {"OpenML": (["a", "b c", "b c"], [0.1, 0.6, 0.75])},
        positive="b c",
        fold="fold",
        id="row_id",
    ),
    Example(
        "Weka",
        [
            csv(
                "=== Predictions on test data ===\n\ninst#,actual,predicted,error,prediction\n"
                "1,1:yes,1:yes,,0.75\n2,2:no,1:yes,+,0.625\n1,2:no,2:no,,0.875\n2,1:?,2:no,,0.6\n"
            )
        ],
        "Weka",
        "actual",
        ["yes", "no", "no"],
        {"Weka": (["yes", "yes", "no"], [0.75, 0.625, 0.125])},
        positive="yes",
        fold="fold",
    ),
    Example(
        "Weka distribution",
        [
            csv(
                "inst#,actual,predicted,error,distribution\n"
                "1,2:b,1:a,+,*0.683,0.3,0.017\n2,1:a,1:a,,*0.9,0.1,0\n1,3:c,2:b,+,0.1,*0.8,0.1\n"
            )
        ],
        "Weka",
        "actual",
        ["b", "a", "c"],
        {"Weka": (["a", "a", "b"], [[0.683, 0.3, 0.017], [0.9, 0.1, 0], [0.1, 0.8, 0.1]])},
        fold="fold",
    ),
    Example(
        "Weka distribution with quoted names",
        [
            csv(
                "inst#,actual,predicted,error,distribution,\n"
                "1,2:'not so: good',1:good,+,*0.75,0.25\n2,1:good,1:good,,*0.875,0.125\n"
            )
        ],
        "Weka",
        "actual",
        ["not so: good", "good"],
        {"Weka": (["good", "good"], [0.25, 0.125])},
        positive="not so: good",
    ),
    Example(
        "Weka regression",
        [csv("inst#,actual,predicted,error\n1,2.5,2,-0.5\n2,1.5,2.5,1\n3,?,2,?\n")],
        "Weka",
        "actual",
        [2.5, 1.5],
        {"Weka": (None, [2.0, 2.5])},
    ),
    Example(
        "Orange .tab",
        [
            csv(
                "age\tclass\tRF\tRF (no)\tRF (yes)\tNB\tNB (no)\tNB (yes)\tFold\n"
                "continuous\tno yes\tno yes\tcontinuous\tcontinuous\tno yes\tcontinuous\tcontinuous"
                "\tdiscrete\n\tclass\tmeta\tmeta\tmeta\tmeta\tmeta\tmeta\tmeta\n"
                "3\tno\tno\t0.75\t0.25\tno\t0.5\t0.5\t1\n5\tyes\tno\t0.625\t0.375\tyes\t0\t1\t2\n",
                "orange.tab",
            )
        ],
        "Orange",
        "class",
        ["no", "yes"],
        {"RF": (["no", "no"], [0.25, 0.375]), "NB": (["no", "yes"], [0.5, 1.0])},
        positive="yes",
        fold="Fold",
    ),
    Example(
        "Orange prefixes",
        [
            csv(
                "C#age,cD#iris,mS#id,mD#NB,mC#NB (a),mC#NB (b)\n"
                "3,a,x1,a,0.9,0.1\n4,b,x2,b,0.25,0.75\n"
            )
        ],
        "Orange",
        "iris",
        ["a", "b"],
        {"NB": (["a", "b"], [0.1, 0.75])},
        positive="b",
        id="id",
    ),
    Example(
        "H2O",
        [
            csv("y\n0\n1\n1\n", "truth.csv"),
            csv("predict,p0,p1\n1,0.25,0.75\n1,0.2,0.8\n0,0.9,0.1\n"),
        ],
        "H2O",
        "y",
        ["0", "1", "1"],
        {"H2O": (["1", "1", "0"], [0.75, 0.8, 0.1])},
        positive="1",
    ),
    Example(
        "H2O with names",
        [YES_NO_TRUTH, csv("predict,no,yes\nyes,0.25,0.75\nyes,0.2,0.8\nyes,0.4,0.6\n", "h2o.csv")],
        "H2O",
        "y",
        ["no", "yes", "yes"],
        {"H2O": (["yes", "yes", "yes"], [0.75, 0.8, 0.6])},
        positive="yes",
        id="id",
    ),
    Example(
        "Spark ML",
        [
            csv(
                'label,rawPrediction,probability,prediction\n0.0,"[1.0,-1.0]","[0.75,0.25]",0.0\n'
                '1.0,"[1.0,-1.0]","[0.45,0.55]",1.0\n'
                '1.0,"[1,2]","{""type"":1,""values"":[0.375,0.625]}",1.0\n'
                '0.0,"[1,2]","{""type"":0,""size"":2,""indices"":[1],""values"":[1.0]}",1.0\n'
            )
        ],
        "Spark ML",
        "label",
        ["0", "1", "1", "0"],
        {"Spark ML": (["0", "1", "1", "1"], [0.25, 0.55, 0.625, 1.0])},
        positive="1",
    ),
    Example(
        "KNIME",
        [
            csv(
                "c,age,P (c=a=b)_RF,P (c=x)y)_RF,Prediction (c)_RF,P (c=a=b)_NB,P (c=x)y)_NB,"
                "Prediction (c)_NB\na=b,3,0.8,0.2,a=b,0.7,0.3,a=b\nx)y,4,0.3,0.7,x)y,0.6,0.4,a=b\n"
            )
        ],
        "KNIME",
        "c",
        ["a=b", "x)y"],
        {"RF": (["a=b", "x)y"], [0.2, 0.7]), "NB": (["a=b", "a=b"], [0.3, 0.4])},
        positive="x)y",
    ),
    Example(
        "KNIME regression",
        [csv("price,rooms,Prediction (price)\n10.5,3,11\n8.25,2,8.5\n")],
        "KNIME",
        "price",
        [10.5, 8.25],
        {"KNIME": (None, [11.0, 8.5])},
    ),
    Example(
        "RapidMiner",
        [
            csv(
                "label,prediction(label),confidence(no),confidence(yes)\nno,no,0.8,0.2\nyes,no,0.3,0.7\n"
            )
        ],
        "RapidMiner",
        "label",
        ["no", "yes"],
        {"RapidMiner": (["no", "no"], [0.2, 0.7])},
        positive="yes",
    ),
    Example(
        "SPSS Modeler",
        [
            csv(
                "churn,$L-churn,$LP-churn,$XF-churn,$XFP-churn\n"
                "0,0,0.75,0,0.5\n1,0,0.625,1,0.875\n1,1,0.5,1,0.75\n"
            )
        ],
        "SPSS Modeler",
        "churn",
        ["0", "1", "1"],
        {"L": (["0", "0", "1"], [0.25, 0.375, 0.5]), "XF": (["0", "1", "1"], [0.5, 0.875, 0.75])},
        positive="1",
    ),
    Example(
        "CatBoost",
        [
            csv(
                "SampleId\tRawFormulaVal\tProbability\tClass\tLabel\n"
                "0\t-1.2\t0.23\t0\t0\n1\t2.1\t0.89\t1\t1\n2\t0.1\t0.52\t1\t0\n",
                "eval.tsv",
            )
        ],
        "CatBoost",
        "Label",
        ["0", "1", "0"],
        {"CatBoost": (["0", "1", "1"], [0.23, 0.89, 0.52])},
        positive="1",
        id="SampleId",
    ),
    Example(
        "CatBoost raw values",
        [csv("SampleId\tRawFormulaVal\tLabel\n0\t-1.25\t0\n1\t2.5\t1\n2\t0.5\t0\n", "eval.tsv")],
        "CatBoost",
        "Label",
        ["0", "1", "0"],
        {"CatBoost": (None, [-1.25, 2.5, 0.5])},
        positive="1",
        id="SampleId",
    ),
    Example(
        "CatBoost classes",
        [
            csv(
                "SampleId\tProbability:Class=b\tProbability:Class=a\tProbability:Class=c\tLabel\n"
                "0\t0.1\t0.2\t0.7\tc\n1\t0.3\t0.4\t0.3\ta\n2\t0.6\t0.1\t0.3\tb\n",
                "eval.tsv",
            )
        ],
        "CatBoost",
        "Label",
        ["c", "a", "b"],
        {"CatBoost": (None, [[0.2, 0.1, 0.7], [0.4, 0.3, 0.3], [0.1, 0.6, 0.3]])},
        id="SampleId",
    ),
    Example(
        "LightGBM text",
        [
            csv("y\n0\n1\n2\n", "truth.csv"),
            csv("0.2\t0.7\t0.1\n0.1\t0.8\t0.1\n0.1\t0.1\t0.8\n", "LightGBM_predict_result.txt"),
        ],
        "LightGBM or XGBoost",
        "y",
        ["0", "1", "2"],
        {"LightGBM or XGBoost": (None, [[0.2, 0.7, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])},
    ),
    Example(
        "LightGBM text, binary",
        [csv("y\n0\n1\n1\n", "truth.csv"), csv("0.25\n0.75\n0.5\n", "LightGBM_predict_result.txt")],
        None,
        "y",
        ["0", "1", "1"],
        {"column 1": (None, [0.25, 0.75, 0.5])},
        positive="1",
    ),
    Example(
        "AutoGluon",
        [
            csv("y\na\nb\nb\n", "truth.csv"),
            csv(",a,b\n10,0.25,0.75\n11,0.3,0.7\n12,0.9,0.1\n", "p.csv"),
        ],
        "AutoGluon",
        "y",
        ["a", "b", "b"],
        {"AutoGluon": (None, [0.25, 0.3, 0.9])},
        positive="a",
        id="column 1",
    ),
    Example(
        "PyCaret",
        [
            csv(
                "age,sex,Purchase,prediction_label,prediction_score\n"
                "33,0,CH,CH,0.875\n34,1,MM,CH,0.625\n35,1,MM,MM,0.75\n"
            )
        ],
        "PyCaret",
        "Purchase",
        ["CH", "MM", "MM"],
        {"PyCaret": (["CH", "CH", "MM"], [0.875, 0.625, 0.25])},
        positive="CH",
    ),
    Example(
        "PyCaret raw scores",
        [
            csv(
                "age,sex,bought,prediction_label,prediction_score_0,prediction_score_1\n"
                "33,0,0,0,0.9,0.1\n34,1,1,0,0.6,0.4\n35,1,1,1,0.25,0.75\n"
            )
        ],
        "PyCaret",
        "bought",
        ["0", "1", "1"],
        {"PyCaret": (["0", "0", "1"], [0.1, 0.4, 0.75])},
        positive="1",
    ),
    Example(
        "DataRobot",
        [
            csv(
                "readmitted,readmitted_True_PREDICTION,readmitted_False_PREDICTION,"
                "readmitted_PREDICTION,THRESHOLD,POSITIVE_CLASS\n"
                "True,0.75,0.25,True,0.38,True\nFalse,0.4,0.6,True,0.38,True\n"
                "False,0.2,0.8,False,0.38,True\n"
            )
        ],
        "DataRobot",
        "readmitted",
        ["True", "False", "False"],
        {"DataRobot": (["True", "True", "False"], [0.75, 0.4, 0.2])},
        positive="True",
    ),
    Example(
        "BigQuery ML",
        [
            jsonl(
                {
                    "species": "a",
                    "predicted_species": "a",
                    "predicted_species_probs": [
                        {"label": "a", "prob": 0.75},
                        {"label": "b", "prob": 0.25},
                    ],
                },
                {
                    "species": "b",
                    "predicted_species": "a",
                    "predicted_species_probs": [
                        {"label": "b", "prob": 0.375},
                        {"label": "a", "prob": 0.625},
                    ],
                },
            )
        ],
        "BigQuery ML",
        "species",
        ["a", "b"],
        {"BigQuery ML": (["a", "a"], [0.25, 0.375])},
        positive="b",
    ),
    Example(
        "Vertex AI",
        [
            jsonl(
                {
                    "instance": {"age": 3, "outcome": "x"},
                    "prediction": {"classes": ["x", "y"], "scores": [0.9, 0.1]},
                },
                {
                    "instance": {"age": 4, "outcome": "y"},
                    "prediction": {"classes": ["y", "x"], "scores": [0.75, 0.25]},
                },
            )
        ],
        "Vertex AI",
        "outcome",
        ["x", "y"],
        {"Vertex AI": (None, [0.1, 0.75])},
        positive="y",
    ),
    Example(
        "Azure ML",
        [
            csv(
                "income,Scored Labels,Scored Probabilities\n"
                "<=50K,<=50K,0.2\n>50K,>50K,0.8\n<=50K,>50K,0.6\n"
            )
        ],
        "Azure ML",
        "income",
        ["<=50K", ">50K", "<=50K"],
        {"Azure ML": (["<=50K", ">50K", ">50K"], [0.2, 0.8, 0.6])},
        positive=">50K",
    ),
    Example(
        "Azure ML classes",
        [
            csv(
                'kind,"Scored Probabilities for Class ""a""",'
                '"Scored Probabilities for Class ""b""",'
                '"Scored Probabilities for Class ""c""",Scored Labels\n'
                "a,0.2,0.5,0.3,b\nb,0.2,0.5,0.3,b\nc,0.2,0.3,0.5,c\n"
            )
        ],
        "Azure ML",
        "kind",
        ["a", "b", "c"],
        {"Azure ML": (["b", "b", "c"], [[0.2, 0.5, 0.3], [0.2, 0.5, 0.3], [0.2, 0.3, 0.5]])},
    ),
    Example(
        "ML.NET",
        [csv("Label,Score,Probability,PredictedLabel\nTrue,2.1,0.89,True\nFalse,-1,0.27,False\n")],
        "ML.NET",
        "Label",
        ["True", "False"],
        {"ML.NET": (["True", "False"], [0.89, 0.27])},
        positive="True",
    ),
    Example(
        "MLflow table",
        [
            (
                "table.json",
                b'{"columns": ["target", "prediction"], "data": [["a", "a"], ["b", "a"]]}',
            )
        ],
        None,
        "target",
        ["a", "b"],
        {"prediction": (["a", "a"], None)},
        positive="b",
    ),
    Example(
        "lm-evaluation-harness",
        [
            jsonl(
                *(
                    {
                        "doc_id": k,
                        "doc": {"question": "?"},
                        "target": "A",
                        "filtered_resps": ["A"],
                        "filter": name,
                        "metrics": ["exact_match"],
                        "exact_match": score,
                    }
                    for name, scores in (("strict", (1.0, 0.0)), ("flexible", (1.0, 1.0)))
                    for k, score in enumerate(scores)
                )
            )
        ],
        "lm-evaluation-harness",
        "due",
        ["right", "right"],
        {"strict": (["right", "wrong"], None), "flexible": (["right", "right"], None)},
        positive="right",
        id="doc_id",
    ),
    Example(
        "Hugging Face pipeline",
        [
            csv("id,label\n1,1\n2,0\n", "truth.csv"),
            csv("id,label,score\n1,LABEL_1,0.75\n2,LABEL_1,0.625\n", "hf.csv"),
        ],
        "Hugging Face",
        "label",
        ["1", "0"],
        {"Hugging Face": (["1", "1"], [0.75, 0.625])},
        positive="1",
        id="id",
    ),
    Example(
        "Hugging Face run_glue",
        [
            csv("index,label\n0,1\n1,0\n", "dev.csv"),
            csv("index\tprediction\n0\t1\n1\t1\n", "mrpc.tsv"),
        ],
        None,
        "label",
        ["1", "0"],
        {"prediction": (["1", "1"], None)},
        positive="1",
        id="index",
    ),
    Example(
        "Kaggle",
        [
            csv("id,target\n3,1\n1,0\n2,1\n", "solution.csv"),
            csv("id,target\n1,0.2\n2,0.7\n3,0.9\n", "submission.csv"),
        ],
        None,
        "target",
        ["1", "0", "1"],
        {"submission: target": (None, [0.9, 0.2, 0.7])},
        positive="1",
        id="id",
    ),
]

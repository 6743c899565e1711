"""The literature that more than one declaration cites."""

from evalcore.metrics.spec import Source

ALTMAN_BLAND_PREDICTIVE = Source(
    "Altman and Bland (1994), Diagnostic tests 2: predictive values, BMJ 309",
    "https://doi.org/10.1136/bmj.309.6947.102",
)
ALTMAN_BLAND_SENSITIVITY = Source(
    "Altman and Bland (1994), Diagnostic tests 1: sensitivity and specificity, BMJ 308",
    "https://doi.org/10.1136/bmj.308.6943.1552",
)
BRIER = Source(
    "Brier (1950), Verification of forecasts expressed in terms of probability, "
    "Monthly Weather Review 78(1)",
    "https://doi.org/10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
)
COX = Source(
    "Cox (1958), Two further applications of a model for binary regression, Biometrika 45",
    "https://doi.org/10.1093/biomet/45.3-4.562",
)
DEEKS_ALTMAN = Source(
    "Deeks and Altman (2004), Diagnostic tests 4: likelihood ratios, BMJ 329",
    "https://doi.org/10.1136/bmj.329.7458.168",
)
FAWCETT = Source(
    "Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27",
    "https://doi.org/10.1016/j.patrec.2005.10.010",
)
GUO = Source(
    "Guo, Pleiss, Sun and Weinberger (2017), On calibration of modern neural networks, ICML",
    "https://proceedings.mlr.press/v70/guo17a.html",
)
HAND_TILL = Source(
    "Hand and Till (2001), A simple generalisation of the area under the ROC curve for "
    "multiple class classification problems, Machine Learning 45",
    "https://doi.org/10.1023/A:1010920819831",
)
HOSMER_LEMESHOW = Source(
    "Hosmer and Lemeshow (1980), Goodness of fit tests for the multiple logistic regression "
    "model, Communications in Statistics 9(10)",
    "https://doi.org/10.1080/03610928008827941",
)
KUHN = Source(
    "Kuhn (2008), Building predictive models in R using the caret package, "
    "Journal of Statistical Software 28(5)",
    "https://doi.org/10.18637/jss.v028.i05",
)
MANNING = Source(
    "Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, chapter 8",
    "https://nlp.stanford.edu/IR-book/",
)
MURPHY = Source(
    "Murphy (1973), A new vector partition of the probability score, "
    "Journal of Applied Meteorology 12(4)",
    "https://doi.org/10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2",
)
NAEINI = Source(
    "Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using "
    "Bayesian binning, AAAI",
    "https://doi.org/10.1609/aaai.v29i1.9602",
)
POWERS = Source(
    "Powers (2011), Evaluation: from precision, recall and F-measure to ROC, informedness, "
    "markedness and correlation, Journal of Machine Learning Technologies 2(1)",
    "https://arxiv.org/abs/2010.16061",
)
SOKOLOVA_LAPALME = Source(
    "Sokolova and Lapalme (2009), A systematic analysis of performance measures for "
    "classification tasks, Information Processing and Management 45(4)",
    "https://doi.org/10.1016/j.ipm.2009.03.002",
)
SPIEGELHALTER = Source(
    "Spiegelhalter (1986), Probabilistic prediction in patient management and clinical trials, "
    "Statistics in Medicine 5",
    "https://doi.org/10.1002/sim.4780050506",
)
VAN_RIJSBERGEN = Source(
    "van Rijsbergen (1979), Information Retrieval, 2nd edition, chapter 7",
    "http://www.dcs.gla.ac.uk/Keith/Preface.html",
)

"""Where the formulas of the metrics come from: one list of references."""

import re

from evalcore.metrics.metric import Source

_REFERENCES = """
Altman and Bland (1994), Diagnostic tests 1: sensitivity and specificity, BMJ 308
    https://doi.org/10.1136/bmj.308.6943.1552
Altman and Bland (1994), Diagnostic tests 2: predictive values, BMJ 309
    https://doi.org/10.1136/bmj.309.6947.102
Amigó, Gonzalo, Artiles and Verdejo (2009), A comparison of extrinsic clustering evaluation metrics
    based on formal constraints, Information Retrieval 12
    https://doi.org/10.1007/s10791-008-9066-8
Bland and Altman (1999), Measuring agreement in method comparison studies, Statistical Methods in
    Medical Research 8(2)
    https://doi.org/10.1177/096228029900800204
Bonett and Wright (2000), Sample size requirements for estimating Pearson, Kendall and Spearman
    correlations, Psychometrika 65(1)
    https://doi.org/10.1007/BF02294183
Brier (1950), Verification of forecasts expressed in terms of probability, Monthly Weather Review
    78(1)
    https://doi.org/10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2
Brodersen, Ong, Stephan and Buhmann (2010), The balanced accuracy and its posterior distribution,
    ICPR
    https://doi.org/10.1109/ICPR.2010.764
Caliński and Harabasz (1974), A dendrite method for cluster analysis, Communications in Statistics 3
    https://doi.org/10.1080/03610927408827101
Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological
    Measurement 20(1)
    https://doi.org/10.1177/001316446002000104
Cohen (1968), Weighted kappa: nominal scale agreement with provision for scaled disagreement or
    partial credit, Psychological Bulletin 70(4)
    https://doi.org/10.1037/h0026256
Cox (1958), Two further applications of a model for binary regression, Biometrika 45
    https://doi.org/10.1093/biomet/45.3-4.562
Davies and Bouldin (1979), A cluster separation measure, IEEE Transactions on Pattern Analysis and
    Machine Intelligence 1(2)
    https://doi.org/10.1109/TPAMI.1979.4766909
Davis and Goadrich (2006), The relationship between precision-recall and ROC curves, ICML
    https://doi.org/10.1145/1143844.1143874
de Myttenaere, Golden, Le Grand and Rossi (2016), Mean absolute percentage error for regression
    models, Neurocomputing 192
    https://doi.org/10.1016/j.neucom.2015.12.114
Deeks and Altman (2004), Diagnostic tests 4: likelihood ratios, BMJ 329
    https://doi.org/10.1136/bmj.329.7458.168
Dunn (1974), Well-separated clusters and optimal fuzzy partitions, Journal of Cybernetics 4(1)
    https://doi.org/10.1080/01969727408546059
Elkan (2001), The foundations of cost-sensitive learning, IJCAI
    https://cseweb.ucsd.edu/~elkan/rescale.pdf
Ezekiel (1930), Methods of Correlation Analysis, Wiley
Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27
    https://doi.org/10.1016/j.patrec.2005.10.010
Fowlkes and Mallows (1983), A method for comparing two hierarchical clusterings, Journal of the
    American Statistical Association 78
    https://doi.org/10.1080/01621459.1983.10478008
Glas, Lijmer, Prins, Bonsel and Bossuyt (2003), The diagnostic odds ratio: a single indicator of
    test performance, Journal of Clinical Epidemiology 56(11)
    https://doi.org/10.1016/S0895-4356(03)00177-X
Good (1952), Rational decisions, Journal of the Royal Statistical Society B 14(1)
    https://doi.org/10.1111/j.2517-6161.1952.tb00104.x
Gorodkin (2004), Comparing two K-category assignments by a K-category correlation coefficient,
    Computational Biology and Chemistry 28
    https://doi.org/10.1016/j.compbiolchem.2004.09.006
Guo, Pleiss, Sun and Weinberger (2017), On calibration of modern neural networks, ICML
    https://proceedings.mlr.press/v70/guo17a.html
Hand and Anagnostopoulos (2014), A better Beta for the H measure of classification performance,
    Pattern Recognition Letters 40
    https://doi.org/10.1016/j.patrec.2013.12.011
Hand and Till (2001), A simple generalisation of the area under the ROC curve for multiple class
    classification problems, Machine Learning 45
    https://doi.org/10.1023/A:1010920819831
Hanley and McNeil (1982), The meaning and use of the area under a receiver operating characteristic
    (ROC) curve, Radiology 143(1)
    https://doi.org/10.1148/radiology.143.1.7063747
Hosmer and Lemeshow (1980), Goodness of fit tests for the multiple logistic regression model,
    Communications in Statistics 9(10)
    https://doi.org/10.1080/03610928008827941
Hubert and Arabie (1985), Comparing partitions, Journal of Classification 2
    https://doi.org/10.1007/BF01908075
Hyndman and Koehler (2006), Another look at measures of forecast accuracy, International Journal of
    Forecasting 22(4)
    https://doi.org/10.1016/j.ijforecast.2006.03.001
Jaccard (1912), The distribution of the flora in the alpine zone, New Phytologist 11(2)
    https://doi.org/10.1111/j.1469-8137.1912.tb05611.x
Jain and Dubes (1988), Algorithms for Clustering Data, Prentice Hall, chapter 3
Kendall (1938), A new measure of rank correlation, Biometrika 30
    https://doi.org/10.1093/biomet/30.1-2.81
Kendall (1945), The treatment of ties in ranking problems, Biometrika 33(3)
    https://doi.org/10.1093/biomet/33.3.239
Koenker and Bassett (1978), Regression quantiles, Econometrica 46(1)
    https://doi.org/10.2307/1913643
Kolassa and Schütz (2007), Advantages of the MAD/mean ratio over the MAPE, Foresight 6
Kubat, Holte and Matwin (1998), Machine learning for the detection of oil spills in satellite radar
    images, Machine Learning 30
    https://doi.org/10.1023/A:1007452223027
Kuhn (1955), The Hungarian method for the assignment problem, Naval Research Logistics Quarterly 2
    https://doi.org/10.1002/nav.3800020109
Kuhn (2008), Building predictive models in R using the caret package, Journal of Statistical
    Software 28(5)
    https://doi.org/10.18637/jss.v028.i05
Kull et al. (2019), Beyond temperature scaling: obtaining well-calibrated multi-class probabilities
    with Dirichlet calibration, NeurIPS
    https://arxiv.org/abs/1910.12656
Kvålseth (1985), Cautionary note about R2, The American Statistician 39(4)
    https://doi.org/10.1080/00031305.1985.10479448
Lin (1989), A concordance correlation coefficient to evaluate reproducibility, Biometrics 45(1)
    https://doi.org/10.2307/2532051
Ling and Li (1998), Data mining for direct marketing: problems and solutions, KDD
    https://cdn.aaai.org/KDD/1998/KDD98-011.pdf
Makridakis (1993), Accuracy measures: theoretical and practical concerns, International Journal of
    Forecasting 9(4)
    https://doi.org/10.1016/0169-2070(93)90079-3
Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, chapter 8
    https://nlp.stanford.edu/IR-book/
Massey (1951), The Kolmogorov-Smirnov test for goodness of fit, Journal of the American Statistical
    Association 46
    https://doi.org/10.1080/01621459.1951.10500769
McClish (1989), Analyzing a portion of the ROC curve, Medical Decision Making 9(3)
    https://doi.org/10.1177/0272989X8900900307
Meilă (2007), Comparing clusterings: an information based distance, Journal of Multivariate Analysis
    98(5)
    https://doi.org/10.1016/j.jmva.2006.11.013
Murphy (1973), A new vector partition of the probability score, Journal of Applied Meteorology 12(4)
    https://doi.org/10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2
Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian
    binning, AAAI
    https://doi.org/10.1609/aaai.v29i1.9602
Pearson (1895), Notes on regression and inheritance in the case of two parents, Proceedings of the
    Royal Society of London 58
    https://doi.org/10.1098/rspl.1895.0041
Powers (2011), Evaluation: from precision, recall and F-measure to ROC, informedness, markedness and
    correlation, Journal of Machine Learning Technologies 2(1)
    https://arxiv.org/abs/2010.16061
Provost and Domingos (2000), Well-trained PETs, CeDER working paper IS-00-04
Rand (1971), Objective criteria for the evaluation of clustering methods, Journal of the American
    Statistical Association 66
    https://doi.org/10.1080/01621459.1971.10482356
Rosenberg and Hirschberg (2007), V-measure: a conditional entropy-based external cluster evaluation
    measure, EMNLP-CoNLL
    https://aclanthology.org/D07-1043/
Rousseeuw (1987), Silhouettes: a graphical aid to the interpretation and validation of cluster
    analysis, Journal of Computational and Applied Mathematics 20
    https://doi.org/10.1016/0377-0427(87)90125-7
Russakovsky et al. (2015), ImageNet large scale visual recognition challenge, International Journal
    of Computer Vision 115
    https://doi.org/10.1007/s11263-015-0816-y
scikit-learn user guide, Mean squared logarithmic error
    https://scikit-learn.org/stable/modules/model_evaluation.html#mean-squared-logarithmic-error
Shannon (1948), A mathematical theory of communication, Bell System Technical Journal 27
    https://doi.org/10.1002/j.1538-7305.1948.tb01338.x
Sokolova and Lapalme (2009), A systematic analysis of performance measures for classification tasks,
    Information Processing and Management 45(4)
    https://doi.org/10.1016/j.ipm.2009.03.002
Spiegelhalter (1986), Probabilistic prediction in patient management and clinical trials, Statistics
    in Medicine 5
    https://doi.org/10.1002/sim.4780050506
Tan, Steinbach, Karpatne and Kumar (2018), Introduction to Data Mining, 2nd edition, section 4.11
    https://www-users.cse.umn.edu/~kumar001/dmbook/index.php
Tofallis (2015), A better measure of relative prediction accuracy for model selection and model
    estimation, Journal of the Operational Research Society 66(8)
    https://doi.org/10.1057/jors.2014.103
Van Calster et al. (2016), A calibration hierarchy for risk models was defined, Journal of Clinical
    Epidemiology 74
    https://doi.org/10.1016/j.jclinepi.2015.12.005
van Rijsbergen (1979), Information Retrieval, 2nd edition, chapter 7
    http://www.dcs.gla.ac.uk/Keith/Preface.html
Vinh, Epps and Bailey (2010), Information theoretic measures for clusterings comparison, Journal of
    Machine Learning Research 11
    https://jmlr.org/papers/v11/vinh10a.html
Wilks (2019), Statistical Methods in the Atmospheric Sciences, chapter 9
Willmott and Matsuura (2005), Advantages of the mean absolute error over the root mean square error
    in assessing average model performance, Climate Research 30
    https://doi.org/10.3354/cr030079
Witten, Frank, Hall and Pal (2016), Data Mining, 4th edition, 5.9
    https://doi.org/10.1016/C2015-0-02071-8
Youden (1950), Index for rating diagnostic tests, Cancer 3(1)
    https://doi.org/10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3
Zhao and Karypis (2004), Empirical and theoretical comparisons of selected criterion functions for
    document clustering, Machine Learning 55
    https://doi.org/10.1023/B:MACH.0000027785.44527.d6
"""  # One after the other: the first line of each is not indented, the last is the address, if any.


def cite(start: str) -> Source:
    """Return the source whose text begins with `start`, as one alone does.

    >>> cite("Fawcett").url
    'https://doi.org/10.1016/j.patrec.2005.10.010'
    """
    [source] = [source for source in _SOURCES if source.text.startswith(start)]
    return source


def _source(lines: str) -> Source:
    words = lines.split()
    url = words.pop() if words[-1].startswith("http") else ""
    return Source(" ".join(words), url)


_SOURCES = [_source(lines) for lines in re.split(r"\n(?! )", _REFERENCES.strip())]

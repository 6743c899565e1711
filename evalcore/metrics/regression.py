"""Every metric of predicted numbers, in reading order."""

from evalcore.metrics import regression_correlations as correlations
from evalcore.metrics import regression_errors as errors
from evalcore.metrics import regression_fit as fit
from evalcore.metrics import regression_relative as relative
from evalcore.metrics.spec import Metric

VALUES: tuple[Metric, ...] = (
    errors.RMSE,
    errors.MAE,
    fit.R2,
    errors.BIAS,
    errors.MEDAE,
    errors.MAX_ERROR,
    errors.MSE,
    errors.SSE,
    fit.ADJUSTED_R2,
    fit.EXPLAINED_VARIANCE,
    relative.MAPE,
    relative.MAPE_NONZERO,
    relative.SMAPE,
    relative.WAPE,
    relative.MSLE,
    relative.RMSLE,
    relative.MALE,
    correlations.PEARSON,
    correlations.SPEARMAN,
    correlations.KENDALL_TAU_A,
    correlations.KENDALL_TAU_B,
    correlations.CONCORDANCE,
    relative.RAE,
    relative.RRSE,
    errors.PINBALL,
    errors.BLAND_ALTMAN_LOW,
    errors.BLAND_ALTMAN_HIGH,
    fit.TSS,
    fit.RSS,
    fit.ESS,
)

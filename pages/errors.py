"""Errors: where, and how far, is a model of numbers off?"""

from pages.session import current, errors
from pages.widgets import error_parts, guard
from pages.widgets.errors_table import errors_table
from pages.widgets.headline import headline, section
from pages.widgets.notices import notices
from pages.widgets.pickers import pick_model

dataset = guard.need_dataset()
headline(*error_parts.finding(dataset, current.model(dataset)))
model = pick_model(dataset)
notices(error_parts.remarks(dataset, model))
error_parts.close(dataset, model)
error_parts.along(dataset, model)
error_parts.spread(dataset, model)
error_parts.sums(dataset, model)

section("The largest errors", "Rows as they stand in the file, the worst first.")
errors_table(dataset, model, errors.outcomes(dataset, model))

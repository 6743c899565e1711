"""Open a file: where are the predictions?"""

import streamlit as st

from pages.contents import first_page
from pages.session import current, opened, store
from pages.widgets import bar, failure, opening, pasting, sample_cards
from pages.widgets.headline import headline, section

EXAMPLE = """\
truth,boosting_score,forest_score
fraud,0.91,0.84
honest,0.12,0.33
honest,0.64,0.08
"""


headline(
    "How good are your models, and how sure is that?",
    "Drop the file that your tool wrote: what was true, beside what one or more models said. "
    "You see how good each model is, where it errs, and what another threshold would cost.",
)
if (problem := current.problem()) is not None:
    failure.show_refusal(problem)
uploads = st.file_uploader(
    "One or more files, one row per case: CSV, Excel, Parquet, JSON, ARFF, NumPy and more",
    accept_multiple_files=True,
    key=opened.uploader_key(),
)
if uploads and not opened.keep_files([(file.name, file.getvalue()) for file in uploads]):
    st.rerun()
opening.wait(first_page)
pasting.show()
bar.show_open(first_page)

section("Or look around in a sample")
sample_cards.show(store.samples(), first_page)

section(
    "What such a file looks like",
    "A column with what was true; for each model a score, a label, or both. Names are free: "
    "what each column was taken for is shown with the reason, and can be changed.",
)
st.code(EXAMPLE, language=None, width=680)

"""Open a file: where are the predictions?"""

import streamlit as st

from pages.contents import has_results, shows
from pages.session import current, store
from pages.widgets import bar, failure, opening, sample_cards

PROSE = 680
EXAMPLE = """\
truth,boosting_score,forest_score
fraud,0.91,0.84
honest,0.12,0.33
honest,0.64,0.08
"""


st.title("How good are your models, and how sure is that?", anchor=False)
st.markdown(
    "Drop the file that your tool wrote: what was true, beside what one or more models said. "
    "You see how good each model is, where it errs, and what another threshold would cost.",
    width=PROSE,
)
if (problem := current.problem()) is not None:
    failure.show_refusal(problem)
uploads = st.file_uploader(
    "One or more files: CSV, TSV or Parquet, one row per case",
    accept_multiple_files=True,
    key=current.uploader_key(),
)
if uploads:
    files = [(upload.name, upload.getvalue()) for upload in uploads]
    opening.open_files(files, judged=has_results)
bar.show_open()

st.subheader("Or look around in a sample", anchor=False)
sample_cards.show([sample for sample in store.samples() if shows(sample.task)])

st.subheader("What such a file looks like", anchor=False)
st.markdown(
    "A column with what was true; for each model a score, a label, or both. Names are free: "
    "what each column was taken for is shown with the reason, and can be changed.",
    width=PROSE,
)
st.code(EXAMPLE, language=None, width=PROSE)

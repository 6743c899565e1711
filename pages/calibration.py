"""Calibration: can the probabilities be taken at their word?"""

import streamlit as st

from evalcore.intake.model import Task
from pages.session import findings
from pages.session.question import asked
from pages.widgets import (
    calibration_parts,
    calibration_words,
    class_calibration_parts,
    guard,
    scenes,
)
from pages.widgets.class_picker import pick_class
from pages.widgets.headline import headline
from pages.widgets.notices import notices

dataset = guard.need_dataset()
top, choices = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with choices:
    is_binary = dataset.roles.task is Task.BINARY
    question = asked(dataset, None if is_binary else pick_class(dataset))
    model = calibration_parts.pick_model(question, dataset)
    options = calibration_parts.ask()
scene = scenes.of_question(dataset, question, model)
with top:
    headline(*calibration_words.finding(question, scene, options))
if is_binary:
    notices(findings.backwards(dataset, model))
calibration_parts.pictures(question, model, scene, options)
if not is_binary:
    class_calibration_parts.every_class(dataset, model, options)
calibration_parts.recalibrated(dataset, question, scene, options)

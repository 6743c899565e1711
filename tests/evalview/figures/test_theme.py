import itertools

import numpy as np
import plotly.graph_objects as go
import pytest

from evalview.figures import theme
from evalview.figures.theme import DARK, LIGHT, MODEL_STYLES, Words

# Machado, Oliveira and Fernandes (2009), IEEE TVCG 15(6): severity 1.0, on linear RGB.
VISIONS = {
    "everyone": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# Ottosson (2020), Oklab.
TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]
TOLD_APART = 0.08


def linear(color):
    channels = np.array([int(color[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def seen(color, vision):
    rgb = np.clip(np.array(VISIONS[vision]) @ linear(color), 0, 1)
    return np.array(TO_LAB) @ np.cbrt(np.array(TO_CONES) @ rgb)


def contrast(one, other):
    light = sorted(linear(color) @ [0.2126, 0.7152, 0.0722] for color in (one, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)
def test_the_colours_of_two_models_differ_for_every_eye_or_their_dashes_do(look):
    styles = [theme.model_style(at, look) for at in range(len(MODEL_STYLES))]
    alike = [
        (first, second, vision)
        for vision in VISIONS
        for first, second in itertools.combinations(styles, 2)
        if first.dash == second.dash
        and np.linalg.norm(seen(first.color, vision) - seen(second.color, vision)) < TOLD_APART
    ]
    assert alike == []


def test_every_model_of_the_first_ten_has_a_marker_of_its_own():
    assert len({style.symbol for style in MODEL_STYLES}) == 10


def test_the_first_fifty_models_have_fifty_styles():
    assert len({(style.color, style.dash) for style in map(theme.model_style, range(50))}) == 50


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)
def test_text_stands_out_from_everything_it_is_written_on(look):
    for ground in (look.background, look.card):
        assert contrast(look.text, ground) >= 7
        assert contrast(look.secondary, ground) >= 4.5
    for strongest in (look.positive, look.correct):
        assert contrast(look.text, theme.tint(strongest, look.card, theme.WRITTEN_ON)) >= 4.5


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)
def test_marks_stand_out_from_the_card_they_are_drawn_on(look):
    models = [theme.model_style(at, look).color for at in range(len(MODEL_STYLES))]
    marks = (look.positive, look.negative, look.correct, *models)
    assert [mark for mark in marks if contrast(mark, look.card) < 3] == []
    if look is DARK:
        assert [color for color in models if contrast(color, look.card) < 4.5] == []


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)
def test_an_exported_figure_names_its_own_colours(look):
    drawn = theme.canvas(Words("t"), look).layout.template.layout
    assert drawn.paper_bgcolor == look.card
    assert drawn.font.color == look.text
    assert list(drawn.colorway) == [theme.model_style(at, look).color for at in range(10)]


def test_the_words_of_the_vertical_axis_stand_above_it_and_lie_flat():
    figure = theme.canvas(Words("t", y="share found"), LIGHT)
    (label,) = figure.layout.annotations
    assert (label.text, label.yanchor, label.textangle) == ("share found", "bottom", None)
    assert figure.layout.yaxis.title.text is None


def test_taking_off_the_title_leaves_the_plot_as_high_as_it_was():
    figure = theme.canvas(Words("A <b> title", "sub"), LIGHT, height=300)
    room = figure.layout.height - figure.layout.margin.t
    assert theme.take_title(figure) == ("A &lt;b&gt; title", "sub")
    assert (figure.layout.title.text, figure.layout.title.subtitle.text) == ("", "")
    assert figure.layout.height == 300
    assert figure.layout.height - figure.layout.margin.t == room


def test_a_tint_by_hand():
    assert theme.tint("#FF0000", "#FFFFFF", 0.5) == "#FF8080"
    assert theme.tint("#FF0000", "#FFFFFF", 0) == "#FFFFFF"


def test_a_figure_with_nothing_to_draw_says_why():
    figure = theme.nothing_to_draw(Words("t"), LIGHT, "No rows.")
    assert isinstance(figure, go.Figure)
    assert [note.text for note in figure.layout.annotations] == ["No rows."]


def _luminance(color: str) -> float:
    shares = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)
def test_words_and_lines_stand_out_from_what_is_behind_them_as_wcag_asks(look) -> None:
    assert _contrast("#FFFFFF", "#000000") == pytest.approx(21)
    for words in (look.text, look.secondary, look.positive, look.correct):
        assert min(_contrast(words, look.card), _contrast(words, look.background)) >= 4.5
    for style in MODEL_STYLES:
        assert _contrast(style.color, look.card) >= 3


def test_figures_beside_each_other_are_as_high_as_the_highest():
    low, high = (theme.canvas(Words("t"), LIGHT, height=height) for height in (300, 400))
    highest = high.layout.height
    theme.level(low, high)
    assert (low.layout.height, high.layout.height) == (highest, highest)


def test_on_a_slide_no_type_is_below_18_px():
    figure = theme.canvas(theme.Words("t", "s", x="across", y="up"), theme.LIGHT)
    figure.add_scatter(x=[1], y=[1], text=["a"], mode="text")
    figure.add_heatmap(z=[[1]], text=[["<b>1</b><span style='font-size:12px'>found</span>"]])
    theme.take_title(figure)
    large = theme.enlarged(figure)
    sizes = [
        large.layout.font.size,
        large.layout.xaxis.tickfont.size,
        large.layout.annotations[0].font.size,
        large.data[0].textfont.size,
    ]
    assert min(sizes) >= 18
    assert "font-size:18px" in large.data[1].text[0][0]
    assert figure.layout.font.size is None  # the figure of the page stays as it is

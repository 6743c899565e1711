"""Labels that mean something somewhere, and must mean nothing here."""

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "<b>bold</b>",
    "[x](javascript:alert(1))",
    "![x](https://example.org/x.png)",
    "https://example.org",
    "www.example.org",
    "someone@example.org",
    "$x^2$",
    "$$x$$",
    ":red[x]",
    ":material/home:",
    ":streamlit:",
    ":smile:",
    "a -> b <- c -- d <= e >= f ~= g <-> h",
    "# heading",
    "1. list",
    "- item",
    "> quote",
    "    code",
    "`code` *x* _y_ ~~z~~",
    "| a | b |",
    "&amp; &lt;",
    "back\\slash\\",
    "=HYPERLINK(1)",
    "%{customdata}",
)
"""As they shall be read, character by character."""

HIDDEN = {
    "a\nb": "a␊b",
    "a\tb": "a␉b",
    "a\x00b": "a␀b",
    "a\x7fb": "a⟨U+007F⟩b",
    "a\u202eb": "a⟨U+202E⟩b",
    "a\u200bb": "a⟨U+200B⟩b",
    "a\ufeffb": "a⟨U+FEFF⟩b",
    "a\u2028b": "a⟨U+2028⟩b",
    "a\ud800b": "a⟨U+D800⟩b",
}
"""Text with characters that nobody sees, and how it is shown."""

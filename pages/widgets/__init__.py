"""Building blocks of pages: cards, pickers, notices."""

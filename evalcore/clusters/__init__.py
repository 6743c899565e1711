"""How good a clustering is, from its points; and what its agreement with classes rests on."""

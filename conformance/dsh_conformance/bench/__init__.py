"""How fast things are: the suite as a whole, and what is done with large logs."""

"""The tracks of the suite, one package each."""

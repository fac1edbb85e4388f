"""The store track, handle seam: a state machine held against the model store."""

"""The conformance suite: drives an implementation against the model and explains the difference."""

#: The version of the suite, which every report carries.
__version__ = "0.1.0"

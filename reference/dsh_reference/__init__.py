"""The executable model: pure functions over frozen values, each one reading like its rule."""

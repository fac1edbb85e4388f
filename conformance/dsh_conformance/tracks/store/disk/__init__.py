"""What shows only in a store's directories: logs of older formats, and files from other hands.

These runs are apart from those of `moves`: they need to know where a store looks for its files.
"""

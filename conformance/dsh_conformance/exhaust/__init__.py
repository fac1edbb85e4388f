"""Small-scope exhaustion: every log over a few shapes of events, up to a length.

Random search finds what happens often.  Here nothing is left to chance: an *alphabet* is a handful
of shapes, each of which writes the next event of a log in one way; all words over it are tried, the
short ones first, so that the first breach that is found is a smallest one.
A log that is refused is not extended.

What is right is not computed by the reference.  Each shape says what its event does to the
*ledger*, a dozen facts about the log so far, or which rule refuses it; a *law* says what an answer
has to be by the ledger, or by another answer to the same implementation.
"""

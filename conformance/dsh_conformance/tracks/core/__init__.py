"""The core track: what a log comes to, and what a session makes of it, method by method.

Every answer is compared with the model's.  Where a rule is about one part of the answer, that part
is compared first and under the rule's own name, so that a breach is told by the rule that it is.
"""

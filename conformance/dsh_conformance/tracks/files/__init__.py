"""The files track: what an implementation reads in a file, what it writes, and where it keeps it.

Nothing here is judged by the reference's reader: what a file holds is known from how it was made
(`dsh_conformance.generate.files`), and where it lies is worked out anew.
Only a file that an implementation wrote is read by the reference.
"""

"""The commands of ``dsh-conformance``, one module each, imported only when it is called."""

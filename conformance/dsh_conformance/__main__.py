"""``python -m dsh_conformance``, the same as ``dsh-conformance``."""

from dsh_conformance.cli import main

if __name__ == "__main__":
    main()

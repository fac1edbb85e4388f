"""What is under test: how an implementation is launched, spoken to and blamed."""

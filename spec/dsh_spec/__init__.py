"""The normative part: rules, vocabulary and data of dsh session logs, without behaviour."""

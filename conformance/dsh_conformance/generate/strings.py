"""The strings that break stores: text, object keys and session ids that somebody once lost.

Each case has a name for people and stands once.  The plain one comes first, so that shrinking ends
there.  Every string is joined as UTF-16 demands (:func:`~dsh_reference.values.utf16`): a high
surrogate followed by a low one *is* the astral character, in every language but Python.

Sources: facts events §8 (JSON-ACCEPT), persistence §4.1; field reports F23, F24, F26.
"""

from collections.abc import Mapping
from types import MappingProxyType

from hypothesis import strategies as st

from dsh_reference.values import utf16

#: The longest session id that is drawn, in UTF-16 code units; escaped, it still fits a file name.
LONGEST_ID = 40

#: Text by the name of what is hard about it.
TEXT_CASES: Mapping[str, str] = MappingProxyType(
    {
        "plain": "a",
        "empty": "",
        "NUL": "a\x00b",
        "lone high surrogate": "\ud83d",
        "lone low surrogate": "\ude00x",
        "reversed pair": "\ude00\ud83d",
        "line separator": "a\u2028b",
        "paragraph separator": "a\u2029b",
        "next line": "a\x85b",
        "carriage return and newlines": "a\r\nb\n\n",
        "quotes and backslashes": '"\\"\\u0000\\',
        "astral": "😀",
        "surrogates beside a pair": "\ud83d😀\ude00",
        "byte order mark": "\ufeffa",
        "composed": "\u00e9",
        "decomposed": "e\u0301",
        "right to left": "\u202eabc\u2066\u05d0",
        "controls": "\x01\x1f\x7f\x1b[31m",
        "last of the plane": "\uffff\ufffe\ufffd",
        "long": "xy" * 150,
        "looks like JSON": '{"type":"turn/end"}',
        "looks like an escape": "\\ud83d\\u0000",
        "__proto__": "__proto__",
        "$hostile": "$hostile",
        "white space": " \t\u00a0",
    }
)

#: Object keys by the name of what is hard about them.
KEY_CASES: Mapping[str, str] = MappingProxyType(
    {
        "plain": "k",
        "empty": "",
        "__proto__": "__proto__",
        "constructor": "constructor",
        "toString": "toString",
        "toJSON": "toJSON",
        "$hostile": "$hostile",
        "$literal": "$literal",
        "type": "type",
        "seq": "seq",
        "array index": "0",
        "not an array index": "01",
        "dotted": "a.b",
        "JSON path": "$.k[0]",
        "NUL": "\x00",
        "lone high surrogate": "\ud800",
        "astral": "😀",
        "line separator": "\u2028",
        "composed": "\u00e9",
        "decomposed": "e\u0301",
        "other case": "K",
    }
)

#: Session ids by the name of what is hard about them: all legal, none empty.
ID_CASES: Mapping[str, str] = MappingProxyType(
    {
        "plain": "s1",
        "another": "s2",
        "dot": ".",
        "two dots": "..",
        "climbing": "../../x",
        "slash": "a/b",
        "backslash": "a\\b",
        "absolute": "/abs",
        "tilde": "~",
        "looks escaped": "~002E",
        "device name": "con",
        "blank inside": "a b",
        "blank at the end": "a ",
        "dot at the end": "a.",
        "upper case": "A",
        "lower case": "a",
        "percent": "a%2Fb",
        "option": "--root",
        "colon": "c:d",
        "astral": "😀",
        "lone surrogate": "\ud83d",
        "NUL": "a\x00b",
        "newline": "a\nb",
        "line separator": "a\u2028b",
        "composed": "\u00e9",
        "decomposed": "e\u0301",
        "glob": "*?[a]",
        "wildcard of SQL": "%_'",
        "lock file": "session.lock",
        "log file": "session.v4.jsonl",
        "prototype": "__proto__",
        "long": "i" * LONGEST_ID,
    }
)

#: Ids that careless stores take for one another.
NEIGHBOURS: tuple[tuple[str, ...], ...] = (
    ("A", "a"),
    ("\u00e9", "e\u0301"),
    ("a/b", "a\\b", "a%2Fb", "a b"),
    ("a", "a ", "a."),
    ("\U0001f600", "\ud83d"),
    (".", ".."),
    ("~", "~002E"),
)

#: The texts alone, the plain one first.
TEXTS = tuple(utf16(text) for text in TEXT_CASES.values())
#: The keys alone, the plain one first.
KEYS = tuple(utf16(key) for key in KEY_CASES.values())
#: The ids alone, the plain ones first.
IDS = tuple(utf16(name) for name in ID_CASES.values())
#: The texts that may stand where an empty string may not.
NAMES = tuple(text for text in TEXTS if text)

_JOINED = st.lists(st.sampled_from(TEXTS), min_size=2, max_size=3).map("".join).map(utf16)
_ANY = st.text(st.characters(exclude_categories=()), max_size=8).map(utf16)
_TEXTS = st.one_of(st.sampled_from(TEXTS), _JOINED, _ANY)
_KEYS = st.sampled_from(KEYS)
_IDS = st.sampled_from(IDS)


def texts() -> st.SearchStrategy[str]:
    """Any string a log may hold, mostly a hard one; shrinks to ``"a"``."""
    return _TEXTS


def keys() -> st.SearchStrategy[str]:
    """Object keys, mostly hard ones; shrinks to ``"k"``."""
    return _KEYS


def ids() -> st.SearchStrategy[str]:
    """Session ids of 1 to 40 UTF-16 code units, all legal; shrinks to ``"s1"``."""
    return _IDS

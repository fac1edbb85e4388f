"""How a log lies on disk: its path, its header line, its rows, and its frames."""

from dsh_reference.files.cut import inherited_count, is_cut
from dsh_reference.files.frames import Decompressor
from dsh_reference.files.header import HeaderLine, header_line, read_header
from dsh_reference.files.log import LogFile, batch_lines, load, read_log
from dsh_reference.files.names import (
    Compression,
    decode_segment,
    encode_segment,
    log_name,
    log_path,
    parse_log_name,
    project_directory,
    project_key,
)
from dsh_reference.files.rows import check_row, decode_row, encode_row

__all__ = [
    "Compression",
    "Decompressor",
    "HeaderLine",
    "LogFile",
    "batch_lines",
    "check_row",
    "decode_row",
    "decode_segment",
    "encode_row",
    "encode_segment",
    "header_line",
    "inherited_count",
    "is_cut",
    "load",
    "log_name",
    "log_path",
    "parse_log_name",
    "project_directory",
    "project_key",
    "read_header",
    "read_log",
]

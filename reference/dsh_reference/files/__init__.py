"""How a log of any format lies on disk: its path, its header line, its rows, and its frames."""

from dsh_reference.files.cut import inherited_count, is_cut
from dsh_reference.files.frames import Bytes, Decompressor, Frame, Torn, each_frame
from dsh_reference.files.generations import Generation, select_generation
from dsh_reference.files.header import HeaderLine, header_line, read_header
from dsh_reference.files.log import (
    LogEnd,
    LogFile,
    Reading,
    batch_lines,
    framed_reading,
    load,
    plain_reading,
    read_log,
)
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
from dsh_reference.files.rows import check_row, decode_row, encode_row, encode_rows, expand_row

__all__ = [
    "Bytes",
    "Compression",
    "Decompressor",
    "Frame",
    "Generation",
    "HeaderLine",
    "LogEnd",
    "LogFile",
    "Reading",
    "Torn",
    "batch_lines",
    "check_row",
    "decode_row",
    "decode_segment",
    "each_frame",
    "encode_row",
    "encode_rows",
    "encode_segment",
    "expand_row",
    "framed_reading",
    "header_line",
    "inherited_count",
    "is_cut",
    "load",
    "log_name",
    "log_path",
    "parse_log_name",
    "plain_reading",
    "project_directory",
    "project_key",
    "read_header",
    "read_log",
    "select_generation",
]

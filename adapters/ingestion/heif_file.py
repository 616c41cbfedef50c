"""Opens a HEIC for libheif, without what would end the process."""

from io import BytesIO

import pi_heif

from adapters.ingestion.heif_names import with_ascii_names


def opened_heif(encoded: bytes) -> pi_heif.HeifFile:
    """The file's header; raises what `broken_blocks` lists.

    pi_heif 1.4 takes each item's kind and type for UTF-8, and dies of one that is none.
    """
    return pi_heif.open_heif(BytesIO(with_ascii_names(encoded)))

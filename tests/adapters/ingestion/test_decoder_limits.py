"""What the decoders may take of the process."""

import ctypes

import pyvips

from adapters.ingestion.decoder_limits import ffmpeg_memory, limit_decoders

MEGABYTE = 1024 * 1024


def test_ffmpeg_gets_no_more_in_one_piece_than_a_frame_needs() -> None:
    limit_decoders(300)
    (memory,) = ffmpeg_memory()
    memory.av_malloc.restype = ctypes.c_void_p
    memory.av_malloc.argtypes = [ctypes.c_size_t]
    memory.av_free.argtypes = [ctypes.c_void_p]
    small = memory.av_malloc(200 * MEGABYTE)
    assert small is not None
    memory.av_free(small)
    assert memory.av_malloc(257 * MEGABYTE) is None


def test_what_libvips_quotes_of_a_damaged_file_is_no_error_of_the_next() -> None:
    limit_decoders(300)
    pyvips.vips_lib.vips_foreign_find_load(b"odd \x81 byte")
    assert "odd \ufffd byte" in pyvips.Error("any").detail
    pyvips.vips_lib.vips_foreign_find_load(b"odd \x81 byte")
    assert pyvips.Image.black(8, 8).crop(0, 0, 4, 4).width == 4

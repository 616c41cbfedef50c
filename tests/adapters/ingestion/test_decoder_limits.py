import pyvips
from PIL import Image

from adapters.ingestion.decoder_limits import limit_decoders


def test_decoders_take_one_thread_a_picture_and_keep_nothing() -> None:
    limit_decoders(12.5)
    assert pyvips.concurrency_get() == 1
    assert (pyvips.cache_get_max(), pyvips.cache_get_max_mem()) == (0, 0)
    assert pyvips.cache_get_max_files() == 0
    assert Image.MAX_IMAGE_PIXELS == 12_500_000
    limit_decoders(300)

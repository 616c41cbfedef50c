"""XXH64 by xxhash, which lets other threads run meanwhile."""

from typing import BinaryIO

import xxhash
from typing_extensions import override

from application.ports.content_hasher import ContentHasher

CHUNK_BYTES = 1024 * 1024


class XxhContentHasher(ContentHasher):
    """Reads in chunks, so that a video of any size takes a megabyte."""

    @override
    def hash(self, stream: BinaryIO) -> str:
        digest = xxhash.xxh64()
        stream.seek(0)
        while chunk := stream.read(CHUNK_BYTES):
            digest.update(chunk)
        return digest.hexdigest()

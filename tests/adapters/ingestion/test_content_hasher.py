from io import BytesIO

from adapters.ingestion.content_hasher import CHUNK_BYTES, XxhContentHasher


def test_the_hash_is_the_standard_xxh64_of_all_bytes() -> None:
    stream = BytesIO(b"abc")
    stream.read()
    assert XxhContentHasher().hash(BytesIO(b"")) == "ef46db3751d8e999"
    assert XxhContentHasher().hash(stream) == "44bc2cf5ad770999"
    large = b"a" * CHUNK_BYTES + b"b"
    assert XxhContentHasher().hash(BytesIO(large)) != XxhContentHasher().hash(BytesIO(large[:-1]))

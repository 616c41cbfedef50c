"""Apple's maker note with one field, as an iPhone writes it."""

import struct


def apple_note(identifier: str, order: str = ">", tag: int = 0x11) -> bytes:
    """`order` is struct's: most significant byte first, as iPhones write, or last."""
    text = identifier.encode() + b"\x00"
    mark = b"MM" if order == ">" else b"II"
    head = b"Apple iOS\x00\x00\x01" + mark
    entries = struct.pack(f"{order}H", 2)
    entries += struct.pack(f"{order}HHII", 0x01, 9, 1, 14)
    # Behind the header, the entries and the offset of a next block, which there is not.
    entries += struct.pack(f"{order}HHII", tag, 2, len(text), len(head) + 2 + 24 + 4)
    return head + entries + bytes(4) + text

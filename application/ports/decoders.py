"""Those who decode a file: here, or in processes of their own that may die of it."""

from abc import abstractmethod
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from application.ports.media_developer import MediaDeveloper
from application.ports.metadata_reader import MetadataReader
from domain.errors import DomainError


class DecoderDied(DomainError):
    """The process that decoded a file died of it, or was ended because it took too long."""


class DecodersUnfit(DomainError):
    """No process that decodes can be started; no file is to blame for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoders:
    """What a file goes through on its way to an asset."""

    metadata: MetadataReader
    developer: MediaDeveloper


class DecodersApart(Protocol):
    """Decoders in processes of their own: a file that crashes them takes nobody else with it."""

    @abstractmethod
    def opened(self) -> AbstractContextManager[Decoders]:
        """Decoders for any thread of the caller; their processes end with the block.

        A process is started when it is needed, and another one after a death. Both decoders raise
        DecoderDied and DecodersUnfit beside what their ports say; after a death, the next file
        finds a sound process. Where the stream stands afterwards is not known.
        """

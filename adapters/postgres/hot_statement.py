"""The few statements that every item costs: compiled once, and run by the driver itself.

SQLAlchemy's execution is dearer than the statement. What runs is still its text, built from the
same table of transitions; only how it is sent differs. docs/adr/0021 has the figures.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeAlias, cast

import psycopg
from psycopg.rows import dict_row
from sqlalchemy import Engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.elements import BindParameter
from sqlalchemy.sql.expression import ClauseElement
from typing_extensions import override

from adapters.postgres.connections import named_errors, one_transaction
from adapters.postgres.engine import is_pooled

Driver: TypeAlias = "psycopg.Connection[Any]"
Row: TypeAlias = Mapping[str, Any]
_DIALECT = PGDialect_psycopg()  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True)
class HotStatement:
    """The text with the driver's placeholders, and what each parameter becomes on its way."""

    text: str
    constants: Mapping[str, object]
    processors: Mapping[str, Callable[[Any], object]]

    def rows(self, driver: Driver, parameters: Mapping[str, object]) -> Sequence[Row]:
        """Run it; the driver prepares it after some executions, where that is switched on."""
        given = {**self.constants, **parameters}
        for name, process in self.processors.items():
            given[name] = process(given[name])
        return driver.cursor(row_factory=dict_row).execute(self.text, given).fetchall()


def compiled(statement: ClauseElement) -> HotStatement:
    """The statement as the driver takes it. Lists of unknown length must be arrays."""
    text = statement.compile(dialect=_DIALECT)
    processors = {}
    for name, bind in cast("Mapping[str, BindParameter[Any]]", text.binds).items():  # type: ignore[attr-defined]
        processor = bind.type.dialect_impl(_DIALECT).bind_processor(_DIALECT)
        if processor is not None:
            processors[name] = processor
    return HotStatement(_on_one_line(str(text)), dict(text.params or {}), processors)


def _on_one_line(text: str) -> str:
    """The driver reads a long text anew at each execution, which costs more than to send it."""
    return " ".join(text.split())


def hot_connection(engine: Engine) -> AbstractContextManager[Driver]:
    """The driver's connection, in autocommit but behind a pooler; DatabaseUnavailable.

    Whatever else the database says is SQLAlchemy's DBAPIError, as elsewhere.
    """
    return _in_a_transaction(engine) if is_pooled(engine) else _Leased(engine)


@contextmanager
def _in_a_transaction(engine: Engine) -> Iterator[Driver]:
    with one_transaction(engine) as connection, _wrapped():
        yield cast("Driver", connection.connection.driver_connection)


class _Leased(AbstractContextManager["Driver"]):
    """One of the pool's connections; a generator in its place costs microseconds more."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @override
    def __enter__(self) -> Driver:
        with named_errors(), _wrapped():
            self._lease = self._engine.raw_connection()
        self._driver = cast("Driver", self._lease.driver_connection)
        self._driver.autocommit = True
        return self._driver

    @override
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._give_back()
        if isinstance(error, psycopg.Error):
            with named_errors(), _wrapped():
                raise error

    def _give_back(self) -> None:
        if self._driver.closed:
            self._lease.invalidate()
            self._engine.dispose()  # the others of the pool are as old
            return
        with suppress(psycopg.Error):
            self._driver.autocommit = False
        self._lease.close()


@contextmanager
def _wrapped() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise DBAPIError.instance(
            None, None, error, psycopg.Error, hide_parameters=True, dialect=_DIALECT
        ) from error

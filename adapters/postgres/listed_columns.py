"""What a list and the live view fetch of an item: no payload, no large result, a short error."""

from sqlalchemy import Text, case, cast, func, null

from adapters.postgres.tables import WORK_ITEMS
from application.ports.work_item_reader import LISTED_ERROR_CHARACTERS, LISTED_RESULT_BYTES

_ROW = WORK_ITEMS.c
_IS_LARGE = func.octet_length(cast(_ROW.result, Text)) > LISTED_RESULT_BYTES

LISTED = (
    *(column for column in _ROW if column.name not in {"payload", "dedup_key", "result", "error"}),
    case((_IS_LARGE, null()), else_=_ROW.result).label("result"),
    func.coalesce(_IS_LARGE, False).label("result_omitted"),
    func.left(_ROW.error, LISTED_ERROR_CHARACTERS).label("error"),
)

"""What the worker that `celery_peer` starts imports: the application, and its job."""

import os

from celery import Celery

_REDIS = f"redis+socket://{os.environ['ANICHRON_BENCHMARK_REDIS']}"
app = Celery(broker=_REDIS, backend=f"{_REDIS}?virtual_host=1")
app.conf.task_acks_late = bool(os.environ["ANICHRON_BENCHMARK_ACKS_LATE"])


@app.task(name="job")  # type: ignore[untyped-decorator]
def job() -> None:
    """Nothing."""

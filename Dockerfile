# One image for all hosts: `anichron api`, `anichron worker`, `anichron migrate`.
#
#   docker build -t anichron .
#
# BASE needs Python 3.11 or newer with pip and venv, and glibc (every wheel is for it). PIP_OPTIONS
# lets a machine without a registry build from a folder of wheels: see .ci/image.sh.
ARG BASE=python:3.13-slim-bookworm

FROM ${BASE} AS build
ARG PIP_OPTIONS=
WORKDIR /build
# What is in a folder named wheels, where there is one; the lock holds what may be taken of it.
COPY requirements.lock wheels* /wheels/
RUN python3 -m venv --without-pip /opt/anichron \
    && python3 -m pip --python /opt/anichron/bin/python install --no-cache-dir --no-compile \
        ${PIP_OPTIONS} --require-hashes -r /wheels/requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY domain domain
COPY application application
COPY adapters adapters
COPY entrypoints entrypoints
COPY migrations migrations
RUN python3 -m pip --python /opt/anichron/bin/python install --no-cache-dir --no-compile \
        ${PIP_OPTIONS} --no-deps .
RUN /opt/anichron/bin/python -m compileall -q -j 0 /opt/anichron/lib

FROM ${BASE}
# Whoever runs it may give another user, who can read the originals; nothing here needs this one.
RUN mkdir -p /data/originals /data/proxies /var/lib/anichron \
    && chown 1000:1000 /data/proxies /var/lib/anichron
COPY --from=build /opt/anichron /opt/anichron
ENV PATH=/opt/anichron/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    ANICHRON_HOME=/var/lib/anichron \
    ADDRESS=0.0.0.0 \
    LOG_FORMAT=json \
    STATUS__ADDRESS=0.0.0.0 \
    STATUS__API_PORT=8277 \
    STATUS__WORKER_PORT=8277
USER 1000:1000
EXPOSE 8276 8277
# Both hosts hand back what they hold: the Worker its item, the API its streams.
STOPSIGNAL SIGTERM
# What the status port says of the host that runs here. Compose and Kubernetes ask it themselves.
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s --retries=4 \
    CMD ["anichron-health"]
ENTRYPOINT ["anichron"]
CMD ["api"]

#!/bin/sh
# Our image, on a base that is made here, from wheels that are fetched here: the build itself reaches
# no network. Usage: image.sh PYTHON TAG
set -eu
python=$1 tag=$2
cd "$(dirname "$0")/.."
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
"$(dirname "$0")"/base_image.sh "$python" anichron-ci-base
base=$("$python" -c 'import sys; print(sys._base_executable)')
git ls-files -z --cached --others --exclude-standard -- \
    Dockerfile .dockerignore LICENSE README.md pyproject.toml requirements.lock \
    domain application adapters entrypoints migrations | xargs -0 cp --parents -t "$context"
fetch() { "$base" -m pip download -q --disable-pip-version-check -d "$context"/wheels "$@"; }
fetch --require-hashes -r requirements.lock
fetch 'setuptools>=77' pkgconfig # ours is built with the one; pyvips, which ships no wheel, with both
docker build -q -t "$tag" --network none --build-arg BASE=anichron-ci-base \
    --build-arg PIP_OPTIONS='--no-index --find-links /wheels' "$context" > /dev/null
# Whatever a decoder needs of the base is there.
docker run --rm --network none --entrypoint /opt/anichron/bin/python "$tag" -c \
    'import entrypoints.worker.runner_container, entrypoints.api.container, entrypoints.cli.container'
echo "made the image $tag"

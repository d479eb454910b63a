#!/usr/bin/env bash
# Builds both images with buildah, which needs no daemon, and runs salint in them: release/check-image.sh SALINT
#
# SALINT is a program for linux/amd64. Alpine, which the image with git is based on, is not downloaded: a folder with the git of this
# machine takes its place, so the steps of the Dockerfile are checked, not the packages of Alpine.
set -euo pipefail
program=$(realpath "${1:?usage: release/check-image.sh SALINT}")
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
store() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
fail() { echo "$*" >&2; exit 1; }

mkdir -p "$work/context/linux/amd64" "$work/repository"
cp "$program" "$work/context/linux/amd64/salint"
cp -R docs/example/. "$work/repository"
(
  cd "$work/repository"
  export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
  git init --quiet
  git add --all
  git -c user.name=test -c user.email=test@example.com commit --quiet --message=test
  # In a folder without a kustomization, so that it is applied as it is.
  mkdir extra
  sed 's/argocd/other/' base/argocd.yaml >extra/other.yaml
)
chmod -R a+rwX "$work/repository"

# build prints the name of an image: build DOCKERFILE [FLAGS]
build() {
  local file=$1
  shift
  store build --isolation chroot --pull-never -q --build-arg TARGETPLATFORM=linux/amd64 "$@" -f "$file" "$work/context"
}

# configuration compares what a container runs, and as which user, with what the hooks and the examples expect.
configuration() {
  local found
  found=$(store inspect --type image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.WorkingDir}}' "$1")
  [ "$found" = "65532:65532 [$2] /work" ] || fail "the image runs $found, not 65532:65532 [$2] /work"
}

# runs runs a command line in a container, and compares the exit code and a part of the output: runs IMAGE CODE TEXT COMMAND…
runs_as=(--volume "$work/repository:/work")
runs() {
  local container code=0 out
  container=$(store from "$1")
  out=$(store run --isolation chroot "${runs_as[@]}" "$container" -- "${@:4}" 2>&1) || code=$?
  store rm "$container" >/dev/null
  if [ "$code" != "$2" ] || ! grep -q -e "$3" <<<"$out"; then
    fail "${*:4}: exit code $code, want $2 and $3: $out"
  fi
}

image=$(build release/Dockerfile)
configuration "$image" /salint
runs "$image" 0 '^salint ' /salint version
runs "$image" 1 'olm/service-account-deprecated' /salint lint clusters/south
runs "$image" 2 'git' /salint lint --changed-since HEAD
echo 'the image without git runs'

for command in busybox git; do
  if ! command -v "$command" >/dev/null; then
    echo "skipped: the image with git: $command is not installed"
    exit 0
  fi
done

# The base has a shell, the git of this machine with its libraries, and a package manager that does nothing.
base=$work/base
mkdir -p "$base/bin" "$base/usr/bin" "$base/usr/local/bin" "$base/etc" "$base/tmp"
cp "$(command -v busybox)" "$base/bin/busybox"
ln -s busybox "$base/bin/sh"
cp "$(command -v git)" "$base/usr/bin/git"
ldd "$(command -v git)" | grep -o '/[^ )]*' | while read -r library; do
  mkdir -p "$base$(dirname "$library")"
  cp -L "$library" "$base$library"
done
printf '#!/bin/sh\ntest "$*" = "add --no-cache git"\n' >"$base/bin/apk"
chmod +x "$base/bin/apk"
container=$(store from scratch)
store copy -q "$container" "$base" / >/dev/null
store commit -q "$container" localhost/base >/dev/null
store rm "$container" >/dev/null

image=$(build release/git.Dockerfile --from localhost/base)
configuration "$image" salint
runs "$image" 0 '^salint ' salint version
runs "$image" 1 'extra/other.yaml' salint lint --target olm-1.11 --changed-since HEAD
# A hook of pre-commit runs as the user of the host, in another folder.
runs_as=(--user 1234:1234 --workingdir /src --volume "$work/repository:/src")
runs "$image" 1 'extra/other.yaml' salint lint --target olm-1.11 --changed-since HEAD
echo 'the image with git runs'

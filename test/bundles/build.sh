#!/usr/bin/env bash
# Builds a program for each release of operator-controller that answers questions with its packages: build.sh FOLDER. The releases come
# from the Go proxy, or from the clone that OPERATOR_CONTROLLER names. Their packages are internal, so the files of upstream/ are compiled
# as a package of the release, with the dependencies of its go.mod and go.sum. If the proxy lacks the library boxcutter, it comes from
# the clone that BOXCUTTER names.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

controller=github.com/operator-framework/operator-controller
boxcutter=pkg.package-operator.run/boxcutter
export CGO_ENABLED=0

# source_of prints the folder of a module in Go's cache.
source_of() { (cd "$work" && go mod download -json "$1" 2>/dev/null | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p'); }

# at CLONE COMMIT FOLDER writes the source of a commit into a folder.
at() { mkdir "$3" && git -C "$1" archive "$2" | tar -x -C "$3"; }

# build TAG NAME BOXCUTTER-VERSION BOXCUTTER-COMMIT builds the program of a release.
build() {
  local target=$folder/upstream-$1 source module=$work/$1 tag=olm_${2//./_}
  if [ -x "$target" ] && [ -z "$(find "$here/upstream" "$here/question.go" -newer "$target" -name '*.go')" ]; then
    return 0
  fi
  if [ -n "${OPERATOR_CONTROLLER:-}" ]; then
    source=$work/source-$1
    at "$OPERATOR_CONTROLLER" "$1" "$source"
  else
    source=$(source_of "$controller@$1")
    [ -n "$source" ] || { echo "the Go proxy does not have $controller $1: set OPERATOR_CONTROLLER to a clone" >&2; return 1; }
  fi
  mkdir "$module"
  cp "$source/go.mod" "$source/go.sum" "$module/"
  chmod u+w "$module"/*
  if [ -n "${3:-}" ] && [ -z "$(source_of "$boxcutter@$3")" ]; then
    [ -n "${BOXCUTTER:-}" ] || { echo "the Go proxy does not have $boxcutter: set BOXCUTTER to a clone" >&2; return 1; }
    at "$BOXCUTTER" "$4" "$work/boxcutter-$3"
    go mod edit -replace "$boxcutter=$work/boxcutter-$3" "$module/go.mod"
  fi
  {
    echo '{"Replace": {'
    for file in "$here"/upstream/*.go "$here/question.go"; do
      echo "\"$source/internal/salint/$(basename "$file")\": \"$file\","
    done | sed '$s/,$//'
    echo '}}'
  } >"$module/overlay.json"
  go -C "$source" build -modfile "$module/go.mod" -mod=mod -overlay "$module/overlay.json" -trimpath -tags "containers_image_openpgp,$tag" \
    -ldflags '-s -w' -o "$target" ./internal/salint
}

build v1.10.0 v1.10 v0.13.1 f85aeaa75cc2c982235b62dc9d3407f12a6eada1
build v1.3.0 v1.3

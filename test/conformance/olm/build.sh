#!/usr/bin/env bash
# Builds the releases of operator-controller that `make conformance-olm` runs into a folder: build.sh FOLDER. It takes two minutes each,
# and nothing if they are there. Everything comes from the Go proxy. If the proxy lacks the library boxcutter, it comes from its
# repository: from the clone that BOXCUTTER names, or from GitHub.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

controller=github.com/operator-framework/operator-controller
boxcutter=pkg.package-operator.run/boxcutter
export CGO_ENABLED=0

# source_of prints the folder of a module in Go's cache.
source_of() { (cd "$work" && go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p'); }

# boxcutter_at writes the source of a commit of boxcutter into a folder.
boxcutter_at() {
  local repository=${BOXCUTTER:-$work/boxcutter.git}
  if [ ! -d "$repository" ] && ! timeout 2m git clone --quiet --bare https://github.com/package-operator/boxcutter "$repository"; then
    echo "the Go proxy does not have $boxcutter, and its repository cannot be cloned: set BOXCUTTER to a clone" >&2
    return 1
  fi
  mkdir "$2" && git -C "$repository" archive "$1" | tar -x -C "$2"
}

# build VERSION BOXCUTTER-VERSION BOXCUTTER-COMMIT builds a release with the dependencies that its go.mod and go.sum list.
build() {
  local target=$folder/operator-controller-$1 module=$work/$1
  [ ! -x "$target" ] || return 0
  local source
  source=$(source_of "$controller@$1")
  mkdir "$module"
  cp "$source/go.mod" "$source/go.sum" "$module/"
  chmod u+w "$module"/*
  if [ -z "$(source_of "$boxcutter@$2" 2>/dev/null)" ]; then
    boxcutter_at "$3" "$work/boxcutter-$2"
    go mod edit -replace "$boxcutter=$work/boxcutter-$2" "$module/go.mod"
  fi
  go -C "$source" build -modfile "$module/go.mod" -mod=mod -trimpath -tags containers_image_openpgp -ldflags '-s -w' \
    -o "$target" ./cmd/operator-controller
}

build v1.10.0 v0.13.1 f85aeaa75cc2c982235b62dc9d3407f12a6eada1
build v1.11.0 v0.14.0 a89690bf19079c6fa85d6e71903971c2476c04a1

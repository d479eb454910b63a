#!/usr/bin/env bash
# Builds kube-apiserver, kubectl and etcd into a folder: build.sh FOLDER. Cold it takes minutes, and next to nothing again.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"

version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
IFS=. read -r major minor _ <<<"${version#v}"
flags="-s -w -X k8s.io/component-base/version.gitVersion=$version"
flags+=" -X k8s.io/component-base/version.gitMajor=$major -X k8s.io/component-base/version.gitMinor=$minor"

export CGO_ENABLED=0
go build -trimpath -ldflags "$flags" -o "$folder/" k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kubectl
go build -trimpath -ldflags '-s -w' -o "$folder/etcd" go.etcd.io/etcd/server/v3

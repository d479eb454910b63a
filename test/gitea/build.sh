#!/usr/bin/env bash
# Builds Gitea into a folder, with the templates that it reads: build.sh FOLDER. It needs a C compiler. Cold it takes minutes, and next to
# nothing again. SALINT_GITEA=FOLDER then makes `go test ./test/clients -run TestGitea` open pull requests there.
#
# The module that requires Gitea is made from Gitea's own go.mod: its replacements only count in the main module.
set -euo pipefail
version=v1.24.0
folder=$(mkdir -p "$1" && cd "$1" && pwd)
module=$(mktemp -d)
trap 'rm -rf "$module"' EXIT
cd "$module"

go mod init example.org/gitea >/dev/null 2>&1
source=$(go mod download -json "code.gitea.io/gitea@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
sed 's/^module .*/module example.org\/gitea/' "$source/go.mod" >go.mod
go mod edit -require="code.gitea.io/gitea@$version"
printf '//go:build tools\n\npackage tools\n\nimport _ "code.gitea.io/gitea"\n' >tools.go
CGO_ENABLED=1 GOFLAGS='-trimpath -mod=mod' go build -tags 'sqlite sqlite_unlock_notify' -ldflags '-s -w' -o "$folder/gitea" code.gitea.io/gitea

rm -rf "$folder/static"
mkdir -p "$folder/static/public/assets/img"
cp -R "$source/templates" "$source/options" "$folder/static/"
cp -R "$source/public/assets/img/svg" "$folder/static/public/assets/img/"
chmod -R u+w "$folder/static"

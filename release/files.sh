#!/bin/sh
# Writes the completions and the manual page that the archives contain to release/files.
set -eu
cd "$(dirname "$0")/.."
rm -rf release/files
mkdir -p release/files/completions release/files/man
program=release/files/salint
CGO_ENABLED=0 GOOS='' GOARCH='' go build -trimpath -o "$program" ./cmd/salint
for shell in bash zsh fish powershell; do
  "$program" completion "$shell" >"release/files/completions/salint.$shell"
done
"$program" man >release/files/man/salint.1
rm "$program"

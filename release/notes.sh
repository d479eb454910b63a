#!/bin/sh
# Prints the section of a version in CHANGELOG.md. A release without one fails.
set -eu
cd "$(dirname "$0")/.."
version=${1:?usage: release/notes.sh VERSION}
notes=$(awk -v heading="## [$version]" '
  index($0, heading) == 1 { inside = 1; next }
  /^## / { inside = 0 }
  inside { print }
' CHANGELOG.md)
if [ -z "$notes" ]; then
  echo "CHANGELOG.md has no section $version: rename Unreleased to it" >&2
  exit 1
fi
printf '%s\n' "$notes"

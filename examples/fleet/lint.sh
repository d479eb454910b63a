#!/bin/sh
# Clones the repositories of a list, and writes the JSON report of each to a folder:
#
#   lint.sh repositories.txt reports [FLAGS of salint lint]
#
# A repository that fails does not stop the others: it has no report, or an incomplete one, and salint report --expect names it. The report
# of an earlier run is removed first: it must not count as that of today. The exit code is 1 if there is one.
set -u
list=$1 reports=$2
shift 2

mkdir -p "$reports" && reports=$(cd "$reports" && pwd) || exit 2
clones=$(mktemp -d) || exit 2
trap 'rm -rf "$clones"' EXIT

failed=0 n=0
while read -r address || [ -n "$address" ]; do
  case $address in '' | '#'*) continue ;; esac
  n=$((n + 1))
  rm -f "$reports/$n.json"
  name=$(printf '%s\n' "$address" | sed 's#//[^/@]*@#//#') # without credentials
  if ! git clone --quiet --depth 1 -- "$address" "$clones/$n" </dev/null; then
    echo "not cloned: $name" >&2
    failed=1
    continue
  fi
  # The report has the name of the repository from git, without credentials.
  if ! (cd "$clones/$n" && salint lint --fail-on never --format json "$@" </dev/null >"$reports/$n.json"); then
    echo "not checked completely: $name" >&2
    failed=1
  fi
  rm -rf "${clones:?}/$n"
done <"$list"
exit "$failed"

#!/usr/bin/env bash
# Records what a build of salint prints about repositories, byte for byte, so that two builds can be compared:
#
#   test/compare/record.sh before/salint /tmp/before REPOSITORY…
#   test/compare/record.sh bin/salint /tmp/after REPOSITORY…
#   diff -r /tmp/before /tmp/after
#
# A repository is a folder. For each, there is a file for each command, with its output, its messages, and its exit code. Versions are left out.
# Builds have five minutes, because a busy machine would otherwise make a difference.
set -euo pipefail

program=$(realpath "$1") out=$(realpath -m "$2")
shift 2
now=2026-01-31T12:00:00Z

record() { # NAME FOLDER ARGUMENTS…
  local file folder=$2 code=0
  file=$out/$(basename "$2")/$1
  shift 2
  mkdir -p "$(dirname "$file")"
  (cd "$folder" && "$program" "$@") >"$file" 2>"$file.messages" </dev/null || code=$?
  sed -i 's/"version": *"[^"]*"/"version": ""/' "$file"
  echo "$code" >"$file.code"
}

for folder; do
  lint=(lint --now "$now" --progress never --limits renderTime=5m)
  record lint "$folder" "${lint[@]}"
  record lint.json "$folder" "${lint[@]}" --format json
  for target in olm-1.10 olm-1.11 synthetic; do
    record "diff-$target" "$folder" "${lint[@]}" --target "$target" --diff
  done
  record plan "$folder" plan --limits renderTime=5m
  record who-can "$folder" who-can --become cluster-admin --limits renderTime=5m
  record who-can.json "$folder" who-can --become cluster-admin --limits renderTime=5m --format json
done

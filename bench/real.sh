#!/usr/bin/env bash
# Times salint beside kustomize's own library on real repositories, and writes bench/REAL.md. Usage: bench/real.sh FOLDER [RUNS]
# FOLDER has repositories, as folders or as archives (.tar.xz).
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0

from=$1 runs=${2:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p bin/bench
go build -o bin/bench/ ./bench/measure ./bench/floor
export GIT_AUTHOR_NAME=bench GIT_AUTHOR_EMAIL=bench@example.com GIT_COMMITTER_NAME=bench GIT_COMMITTER_EMAIL=bench@example.com

# commit REPOSITORY MESSAGE commits everything.
commit() { git -C "$1" add -A -f && git -C "$1" commit -q -m "$2" --allow-empty; }

# unpack SOURCE brings a repository, without its history.
unpack() {
  local to
  to=$work/$(basename "$1" .tar.xz)
  mkdir "$to"
  if [[ -d $1 ]]; then
    tar -C "$1" --exclude=./.git -c . | tar -C "$to" -x
  else
    tar -C "$to" -xf "$1"
  fi
  git -C "$to" init -q -b main
  commit "$to" before
  echo "$to"
}

# manifest REPOSITORY prints the manifest in the middle of those that hold an account, or of all.
manifest() {
  local names
  names=$(git -C "$1" grep -lE '^kind: (ServiceAccount|ClusterRoleBinding)' -- '*.yaml' '*.yml') || names=$(git -C "$1" ls-files -- '*.yaml' '*.yml')
  sed -n "$((($(wc -l <<<"$names") + 1) / 2))p" <<<"$names"
}

table=
for source in "$from"/*; do
  [[ -d $source || $source == *.tar.xz ]] || continue
  repository=$(unpack "$source")
  name=$(basename "$repository")
  bin/bench/floor -find "$repository" >"$work/list"
  one=$(manifest "$repository")
  printf '\n# changed\n' >>"$repository/$one"
  commit "$repository" after
  echo "$name: $(wc -l <"$work/list") kustomizations, $one" >&2
  table+=$(bin/bench/measure -runs "$runs" -rows "$name" \
    "kustomize, one after the other ($(wc -l <"$work/list")): bin/bench/floor $work/list" \
    "salint lint: bin/salint lint --color never $repository" \
    "salint lint, one file: bin/salint lint --color never $repository/$one" \
    "salint diff, one file: bin/salint diff HEAD~1 $repository")$'\n'
  rm -rf "$repository"
done

cat >bench/REAL.md <<TEXT
# Measurements on real repositories

Written by \`make bench-real\` on $(date -u +%Y-%m-%d): $(bin/salint version | head -n 1), $(go env GOVERSION), $(uname -sm),
$(nproc) cores, load average $(cut -d ' ' -f 1 /proc/loadavg) at the end, medians of $runs runs in turns, after one that is not counted.

The first row of each repository is one process that builds all its kustomizations that can be built without a network, one after the
other, with kustomize's own library (\`bench/floor\`), and the ratios are to that. The memory is the largest of all processes of a program together (proportional set size).

| repository | program | median | ratio | memory |
|---|---|---:|---:|---:|
${table%$'\n'}
TEXT
cat bench/REAL.md

#!/usr/bin/env bash
# Times salint beside other programs on generated manifests, all in one run, and writes bench/RESULTS.md.
# Programs that are not installed are left out. Usage: bench/run.sh [RUNS]
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0

runs=${1:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p bin/bench "$work/schemas"

go build -o bin/bench/ ./bench/generate ./bench/measure
# Programs to compare with; if their modules cannot be built, the table is shorter.
go -C bench/tools build -o ../../bin/bench/ tool || echo 'kubeconform and conftest are left out: their modules cannot be built' >&2

size=$(bin/bench/generate "$work/tree")
bin/bench/generate -flat "$work/flat" >/dev/null
unit=$(bin/bench/generate -bindings 3000 -identities 1000 -roles 500 "$work/unit")
user=system:serviceaccount:team-001:robot-00012
one=$(find "$work/tree" -name 'operator-00000-extension.yaml')

programs=(
  "salint lint, folders: bin/salint lint --target olm-1.11 $work/tree"
  "salint lint, all files in one folder: bin/salint lint --target olm-1.11 $work/flat"
  "salint lint, target synthetic: bin/salint lint --target synthetic $work/tree"
  "salint lint, one file as a process: bin/salint lint --target olm-1.11 $one"
  "salint version: bin/salint version"
  "salint can-i, RBAC unit: bin/salint can-i get pods --as $user -f $work/unit"
  "salint can-i --list, RBAC unit: bin/salint can-i --list --as $user -f $work/unit"
  "salint who-can, RBAC unit: bin/salint who-can get pods -f $work/unit"
  "salint graph, RBAC unit: bin/salint graph $work/unit"
)
# add NAME PROGRAM… adds a program that is installed.
add() {
  local name=$1
  shift
  command -v "$1" >/dev/null || { echo "$name is left out: $1 is not installed" >&2; return 0; }
  programs+=("$name: $*")
}
lenient=(-schema-location "$work/schemas" -ignore-missing-schemas)
add 'ripgrep, three words' rg --count -e ClusterExtension -e serviceAccount -e RoleBinding "$work/tree"
add 'grep, three words' grep -rcE 'ClusterExtension|serviceAccount|RoleBinding' "$work/tree"
add 'kubeconform, no schemas' bin/bench/kubeconform "${lenient[@]}" -n "$(nproc)" "$work/tree"
add 'kubeconform, one file' bin/bench/kubeconform "${lenient[@]}" "$one"
add 'conftest, one rule' bin/bench/conftest test --policy bench/policy "$work/tree"

versions=()
for program in rg grep; do
  ! command -v "$program" >/dev/null || versions+=("$program $("$program" --version | grep -oE '[0-9]+[.][0-9.]+' | head -n 1)")
done
for module in yannh/kubeconform open-policy-agent/conftest; do
  versions+=("${module#*/} $(go -C bench/tools list -m -f '{{.Version}}' "github.com/$module")")
done
load=$(cut -d ' ' -f 1 /proc/loadavg)
others=$(printf ', %s' "${versions[@]}")
table=$(bin/bench/measure -runs "$runs" "${programs[@]}")
model=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
cat >bench/RESULTS.md <<TEXT
# Measurements

Written by \`make bench\` on $(date -u +%Y-%m-%d): $(bin/salint version | head -n 1), $(go env GOVERSION), $(uname -sm),
$(nproc) cores of ${model:-an unknown processor}, load average $load at the start, $runs runs each.

$size, seed 1, 1 % of the files about extensions and their accounts (\`bench/generate\`).
The RBAC unit: 1000 accounts, 3000 bindings, 500 roles in one deployment unit; $unit.
The programs took turns; one run of each to warm the caches is not counted (\`bench/measure\`).
Other tools: ${others#, }.

$table

kubeconform finds no schemas here, so it splits and parses, but validates nothing; conftest has one rule (\`bench/policy\`).

Goals: all files within ten times ripgrep, one file as a process under 60 ms, no slower in one folder, peak memory
under 250 MB; one can-i on the RBAC unit as a process under 150 ms.
TEXT
cat bench/RESULTS.md

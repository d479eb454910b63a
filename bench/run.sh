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

go build -o bin/bench/ ./bench/generate ./bench/measure ./bench/each
# Programs to compare with; if their modules cannot be built, the table is shorter.
go -C bench/tools build -o ../../bin/bench/ tool || echo 'kubeconform, conftest, and kustomize are left out: their modules cannot be built' >&2

size=$(bin/bench/generate "$work/tree")
bin/bench/generate -flat "$work/flat" >/dev/null
bin/bench/generate -files 100000 "$work/large" >/dev/null
unit=$(bin/bench/generate -bindings 3000 -identities 1000 -roles 500 "$work/unit")
user=system:serviceaccount:team-001:robot-00012
one=$(find "$work/tree" -name 'operator-00000-extension.yaml')

programs=(
  "salint lint, folders: bin/salint lint --target olm-1.11 $work/tree"
  "salint lint, all files in one folder: bin/salint lint --target olm-1.11 $work/flat"
  "salint lint, target synthetic: bin/salint lint --target synthetic $work/tree"
  "salint lint, one file as a process: bin/salint lint --target olm-1.11 $one"
  "salint version: bin/salint version"
  "salint lint --help: bin/salint lint --help"
  "salint completion bash: bin/salint completion bash"
  "salint can-i, RBAC unit: bin/salint can-i get pods --as $user -f $work/unit"
  "salint can-i --list, RBAC unit: bin/salint can-i --list --as $user -f $work/unit"
  "salint who-can, RBAC unit: bin/salint who-can get pods -f $work/unit"
  "salint graph, RBAC unit: bin/salint graph $work/unit"
)
# Repositories of other shapes, each with the size of the table in the plan for speed. They are measured less often.
shape() {
  local name=$1
  shift
  bin/bench/generate "$@" "$work/$name" >/dev/null
  git -C "$work/$name" init -q
  git -C "$work/$name" add -A
}
shape some -extensions 100
shape thousand -extensions 1000
shape thousands -extensions 5000
shape together -extensions 500 -one-file
shape fleet -extensions 20 -clusters 100
shape subjects -extensions 1 -subjects 500
shape documents -extensions 1 -others 30000
shape overlays -overlays 200
shape catalog -operators 160
shape operator -definitions 40
shape cluster -applications 100
bulk=(
  "100 extensions, olm-1.11: bin/salint lint --target olm-1.11 $work/some"
  "1000 extensions, olm-1.11: bin/salint lint --target olm-1.11 $work/thousand"
  "1000 extensions, synthetic: bin/salint lint --target synthetic $work/thousand"
  "5000 extensions, olm-1.11: bin/salint lint --target olm-1.11 $work/thousands"
  "5000 extensions, synthetic: bin/salint lint --target synthetic $work/thousands"
  "100 extensions, --diff, olm-1.11: bin/salint lint --diff --target olm-1.11 $work/some"
  "1000 extensions, --diff, olm-1.11: bin/salint lint --diff --target olm-1.11 $work/thousand"
  "100 extensions, --diff, synthetic: bin/salint lint --diff --target synthetic $work/some"
  "1000 extensions, --diff, synthetic: bin/salint lint --diff --target synthetic $work/thousand"
  "1000 extensions, plan: bin/salint plan $work/thousand"
  "500 extensions in one file, --diff: bin/salint lint --diff --target olm-1.11 $work/together"
  "100 overlays of 20 extensions, synthetic: bin/salint lint --target synthetic $work/fleet"
  "100 overlays of 20 extensions, --diff, synthetic: bin/salint lint --diff --target synthetic $work/fleet"
  "one binding with 500 refused subjects, --diff: bin/salint lint --diff --target olm-1.11 $work/subjects"
  "30000 documents and one extension, --diff: bin/salint lint --diff --target olm-1.11 $work/documents"
  "200 overlays over one base: bin/salint lint --target olm-1.11 $work/overlays"
  "200 overlays over one base, --diff: bin/salint lint --diff --target olm-1.11 $work/overlays"
  "640 kustomizations without an extension: bin/salint lint --target olm-1.11 $work/catalog"
  "one file of these: bin/salint lint --target olm-1.11 $work/catalog/entry-001/base/account.yaml"
  "40 large definitions behind one kustomization: bin/salint lint --target olm-1.11 $work/operator"
  "a cluster of Flux with 100 applications: bin/salint lint --target olm-1.11 $work/cluster"
  "one file of these: bin/salint lint --target olm-1.11 $work/cluster/apps/space-03/app-033/app/release.yaml"
  "100000 files: bin/salint lint --target olm-1.11 $work/large"
)
! command -v rg >/dev/null ||
  bulk+=("100000 files, ripgrep, three words: rg --count -e ClusterExtension -e serviceAccount -e RoleBinding $work/large")
! command -v bin/bench/kustomize >/dev/null ||
  bulk+=("kustomize build in a loop, 200 overlays: bin/bench/each $work/overlays/overlays bin/bench/kustomize build")

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
for module in github.com/yannh/kubeconform github.com/open-policy-agent/conftest sigs.k8s.io/kustomize/kustomize/v5; do
  name=${module%/v5}
  versions+=("${name##*/} $(go -C bench/tools list -m -f '{{.Version}}' "$module")")
done
load=$(cut -d ' ' -f 1 /proc/loadavg)
others=$(printf ', %s' "${versions[@]}")
table=$(bin/bench/measure -runs "$runs" "${programs[@]}")
# Fixes that are shown exit with code 1; measure counts only codes above as failures.
shapes=$(bin/bench/measure -runs "$(((runs + 3) / 4))" "${bulk[@]}")
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

Repositories of other shapes, $(((runs + 3) / 4)) runs each (\`bench/generate\` with -extensions, -operators, -definitions, -overlays, -applications, -files):

$shapes

kubeconform finds no schemas here, so it splits and parses, but validates nothing; conftest has one rule (\`bench/policy\`).

Goals: all files within ten times ripgrep, one file as a process under 60 ms, no slower in one folder, peak memory
under 250 MB; one can-i on the RBAC unit as a process under 150 ms.
TEXT
cat bench/RESULTS.md

#!/usr/bin/env bash
# Builds a release of the current commit without publishing it, and checks it: release/check.sh [--this-machine]
#
# It checks the checksums, the files in the archives, the lists of modules, a signature, and the images, and lets the program of this
# machine run the README. What needs a program that is not installed is skipped, with its name. With --this-machine, only the archives of
# this machine are built, which takes less than a minute after a build of the program.
set -euo pipefail
cd "$(dirname "$0")/.."

skipped() { echo "skipped: $*"; }
fail() { echo "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null; }

systems=(linux darwin windows) machines=(amd64 arm64) skip=publish,sign
case ${1:-} in
  '') ;;
  --this-machine) systems=("$(go env GOHOSTOS)") machines=("$(go env GOHOSTARCH)") skip+=,homebrew ;;
  *) fail 'usage: release/check.sh [--this-machine]' ;;
esac
if ! has goreleaser; then
  skipped 'goreleaser is not installed: go install github.com/goreleaser/goreleaser/v2@v2.12.7'
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# goreleaser reads the names of the project from the remote, and cleans its folder: so it works in a clone.
git clone -q . "$work/salint"
cd "$work/salint"
git remote set-url origin https://github.com/salint/salint.git
export TAP_TOKEN=none

build() {
  has syft || { skip+=,sbom; skipped 'the list of modules of each archive: syft is not installed'; }
  if [ "${#systems[@]}" = 1 ] || ! docker buildx version >/dev/null 2>&1; then
    skip+=,docker
    skipped 'the images as goreleaser builds them: that needs docker with buildx, and all archives'
  fi
  goreleaser check
  sed -e "s/goos: \[.*/goos: [$(IFS=,; echo "${systems[*]}")]/" -e "s/goarch: \[.*/goarch: [$(IFS=,; echo "${machines[*]}")]/" .goreleaser.yaml >"$work/goreleaser.yaml"
  goreleaser release --config "$work/goreleaser.yaml" --snapshot --clean --skip="$skip"
}

# archive NAME OS ARCH prints the name of an archive.
archive() {
  local suffix=tar.gz
  [ "$2" != windows ] || suffix=zip
  echo "$1"_[0-9]*_"$2_$3.$suffix"
}

archives() {
  sha256sum --check --quiet checksums.txt
  local os arch program file files wanted
  for os in "${systems[@]}"; do
    for arch in "${machines[@]}"; do
      for program in salint salint-action; do
        file=$(archive "$program" "$os" "$arch")
        grep -q "  $file\$" checksums.txt || fail "checksums.txt lacks $file"
        case $os in
          windows) has unzip || { skipped "the files of $file: unzip is not installed"; continue; }; files=$(unzip -Z1 "$file") ;;
          *) files=$(tar -tzf "$file") ;;
        esac
        wanted='LICENSE'
        [ $program = salint-action ] || wanted='LICENSE README.md completions/salint.bash completions/salint.zsh completions/salint.fish man/salint.1'
        for name in $wanted; do
          grep -qx "$name" <<<"$files" || fail "$file lacks $name"
        done
      done
    done
  done
}

# Each list of modules has those of go.mod that are in the program, with their versions.
modules() {
  case $skip in *sbom*) return ;; esac
  local os arch list module version
  for os in "${systems[@]}"; do
    for arch in "${machines[@]}"; do
      list=$(archive salint "$os" "$arch").sbom.json
      grep -q "  $list\$" checksums.txt || fail "checksums.txt lacks $list"
      for module in github.com/open-policy-agent/opa sigs.k8s.io/kustomize/api helm.sh/helm/v3; do
        version=$(go -C "$work/salint" list -m -f '{{.Version}}' "$module")
        tr -d ' \n' <"$list" | grep -q "\"name\":\"$module\",[^{}]*\"versionInfo\":\"$version\"" || fail "$list lacks $module $version"
      done
    done
  done
}

# The release workflow signs without a key, under its identity, which only exists there. Here a key pair takes its place, and nothing is
# sent to a transparency log.
signature() {
  if ! has cosign; then
    skipped 'the signature: cosign is not installed'
    return
  fi
  local keys=$work/keys bundle=$work/checksums.txt.sigstore.json
  mkdir "$keys"
  (cd "$keys" && COSIGN_PASSWORD='' cosign generate-key-pair 2>/dev/null)
  COSIGN_PASSWORD='' cosign sign-blob --key "$keys/cosign.key" --bundle "$bundle" --tlog-upload=false --use-signing-config=false --yes checksums.txt 2>/dev/null
  verify() { cosign verify-blob --key "$keys/cosign.pub" --bundle "$bundle" --insecure-ignore-tlog "$1" 2>/dev/null; }
  verify checksums.txt || fail 'the signature of checksums.txt is not valid'
  sed 's/^./0/' checksums.txt | tr 'a-f' 'b-fa' >"$work/changed.txt"
  ! verify "$work/changed.txt" || fail 'the signature is valid for other checksums'
}

programs() {
  mkdir -p "$work/run" "$work/linux"
  tar -xzf "$(archive salint "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)")" -C "$work/run"
  "$work/run/salint" version
  "$work/run/salint" demo >/dev/null
  SALINT_PROGRAM=$work/run/salint go -C "$work/salint" test ./test/release -run TestReadme -count 1
}

images() {
  local file
  file=$(archive salint linux amd64)
  if ! has buildah; then
    skipped 'the images: buildah is not installed'
  elif ! unshare --mount true 2>/dev/null; then
    skipped 'the images: this user cannot mount anything, which buildah needs to run them'
  elif [ "$(uname -sm)" != 'Linux x86_64' ] || [ ! -f "$file" ]; then
    skipped 'the images: they run on linux/amd64 only'
  else
    tar -xzf "$file" -C "$work/linux" salint
    "$work/salint/release/check-image.sh" "$work/linux/salint"
  fi
}

build
cd dist
archives
modules
signature
programs
images
echo 'the release is complete'

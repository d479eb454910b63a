#!/usr/bin/env bash
# Downloads the programs of a release for this machine into a folder, for the GitHub Action:
#
# release/download.sh VERSION FOLDER
#
# Every archive must have the SHA-256 sum that checksums.txt of the release has for its name. If gh and a token are there, checksums.txt
# must also have an attestation of the release workflow. Archives that are already in FOLDER are checked, not downloaded again.
# SALINT_RELEASES is the address of a mirror.
set -euo pipefail

version=${1:?usage: release/download.sh VERSION FOLDER}
folder=${2:?usage: release/download.sh VERSION FOLDER}
releases=${SALINT_RELEASES:-https://github.com/salint/salint/releases/download}

fail() {
  echo "::error title=salint::$*"
  exit 2
}

[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || fail "version $version is not the version of a release, such as 0.1.0"

case ${RUNNER_OS:-$(uname -s)} in
  Linux) os=linux ;;
  macOS | Darwin) os=darwin ;;
  Windows | MINGW* | MSYS*) os=windows ;;
  *) fail "there is no release for this operating system: use a branch or a commit of the action, which builds salint from source" ;;
esac
case ${RUNNER_ARCH:-$(uname -m)} in
  X64 | x86_64) arch=amd64 ;;
  ARM64 | aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no release for this processor: use a branch or a commit of the action, which builds salint from source" ;;
esac
suffix=tar.gz
[ "$os" = windows ] && suffix=zip

mkdir -p "$folder"
cd "$folder"

# get downloads a file of the release. Only a mirror on this machine needs no encryption.
get() {
  local protocol='=https'
  case $releases in http://127.0.0.1:*) protocol='=http' ;; esac
  curl --fail --silent --show-error --location --proto "$protocol" --retry 3 --max-time 300 --output "$1.part" "$releases/v$version/$1" ||
    fail "could not download $1 of the release $version from $releases: check that the release exists and that the runner can reach it"
  mv "$1.part" "$1"
}

summer=(sha256sum)
command -v sha256sum >/dev/null || summer=(shasum -a 256)
sum() { "${summer[@]}" <"$1" | cut -d ' ' -f 1; }

get checksums.txt
if ! command -v gh >/dev/null || [ -z "${GH_TOKEN:-}" ]; then
  echo "The attestation of the release was not verified: gh or its token is missing."
elif ! gh attestation verify checksums.txt --repo salint/salint >/dev/null; then
  fail "checksums.txt of the release $version has no valid attestation of salint/salint: do not use it, and report it"
fi

for program in salint salint-action; do
  archive=${program}_${version}_${os}_${arch}.$suffix
  wanted=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' checksums.txt)
  [[ $wanted =~ ^[0-9a-f]{64}$ ]] || fail "checksums.txt of the release $version has no checksum of $archive: it is not used"
  if [ ! -f "$archive" ] || [ "$(sum "$archive")" != "$wanted" ]; then
    get "$archive"
  fi
  found=$(sum "$archive")
  [ "$found" = "$wanted" ] || {
    rm -f "$archive"
    fail "$archive has the checksum $found, and checksums.txt has $wanted: it is not used. Run the job again; if that fails too, report it"
  }
  case $os in
    windows) unzip -qo "$archive" "$program.exe" ;;
    *) tar -xzf "$archive" "$program" ;;
  esac
done

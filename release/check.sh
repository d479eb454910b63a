#!/usr/bin/env bash
# Builds a release of the current commit without publishing it, and checks what comes out: the checksums, the files in the archives, and
# the program for this machine, which runs the demo. What needs a program that is not installed is skipped, with its name.
set -euo pipefail
cd "$(dirname "$0")/.."

skipped() { echo "skipped: $*"; }

if ! command -v goreleaser >/dev/null; then
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

skip=publish,sign
command -v syft >/dev/null || { skip+=,sbom; skipped 'the list of modules of each archive: syft is not installed'; }
docker buildx version >/dev/null 2>&1 || { skip+=,docker; skipped 'the images as goreleaser builds them: docker with buildx is not installed'; }
goreleaser check
goreleaser release --snapshot --clean --skip="$skip"

cd dist
sha256sum --check --quiet checksums.txt
for os in linux darwin windows; do
  for arch in amd64 arm64; do
    suffix=tar.gz list='tar -tzf'
    if [ $os = windows ]; then suffix=zip list='unzip -Z1'; fi
    for program in salint salint-action; do
      archive=$(echo "${program}"_[0-9]*_"${os}_${arch}.$suffix")
      grep -q "  $archive\$" checksums.txt || { echo "checksums.txt lacks $archive"; exit 1; }
      if [ $os = windows ] && ! command -v unzip >/dev/null; then
        skipped "the files of $archive: unzip is not installed"
        continue
      fi
      files=$($list "$archive")
      wanted='LICENSE'
      [ $program = salint-action ] || wanted='LICENSE README.md completions/salint.bash completions/salint.zsh completions/salint.fish man/salint.1'
      for file in $wanted; do
        grep -qx "$file" <<<"$files" || { echo "$archive lacks $file"; exit 1; }
      done
    done
  done
done
case $skip in *sbom*) ;; *) ls ./*.sbom.json >/dev/null ;; esac

machine=$(go env GOOS)_$(go env GOARCH)
mkdir -p "$work/run"
tar -xzf salint_[0-9]*_"$machine".tar.gz -C "$work/run"
"$work/run/salint" version
"$work/run/salint" demo >/dev/null

# The image without git needs nothing from the network.
if command -v buildah >/dev/null; then
  mkdir -p "$work/image/linux/amd64"
  tar -xzf salint_[0-9]*_linux_amd64.tar.gz -C "$work/image/linux/amd64" salint
  image=$(buildah --storage-driver vfs build --isolation chroot -q --build-arg TARGETPLATFORM=linux/amd64 -f "$work/salint/release/Dockerfile" "$work/image")
  buildah --storage-driver vfs inspect --type image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}}' "$image" | grep -qx '65532:65532 \[/salint\]'
  buildah --storage-driver vfs rmi "$image" >/dev/null
else
  skipped 'the image: buildah is not installed'
fi
echo 'the release is complete'

#!/bin/sh
# Fixes a repository for multi-gitter, which runs this in a clone of each repository and opens a pull request if files changed and the exit
# code is 0:
#
#   multi-gitter run ./fix.sh --config config.yaml
#
# With --fail-on never, findings that are left do not stop the pull request of what is fixed. Every other exit code is an error: nothing
# is committed then.
#
# A repository whose own settings require another target is skipped, with the reason: its field must stay until its clusters are upgraded.
# With SALINT_SET_TARGET=yes, its pull request changes the setting as well.
#
# With SALINT_BODIES=FOLDER, the report of the run is written there as the body of the pull request, under the name of the repository with
# a dash for each slash; bodies.sh sets it. The report also lists what is left: an installer that nothing uses after the merge is an error of
# olm/installer-orphaned, which turns the checks of the repository red until the second wave (--prune-only) removes it.
set -eu
target=${SALINT_TARGET:?set SALINT_TARGET to the release of the clusters, such as olm-1.11}
set -- --target "$target"
if [ "${SALINT_SET_TARGET:-}" = yes ]; then
  set -- "$@" --set-target
fi
if [ -n "${SALINT_BODIES:-}" ]; then
  mkdir -p "$SALINT_BODIES"
  name=$(printf '%s' "${REPOSITORY:-$(basename "$PWD")}" | tr '/' '-')
  set -- "$@" --output "markdown=$SALINT_BODIES/$name.md"
fi
salint lint --fix --fail-on never "$@" --quiet .

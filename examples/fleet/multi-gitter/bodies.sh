#!/bin/sh
# Sets the bodies that fix.sh wrote on the open pull requests of a branch:
#
#   bodies.sh FOLDER BRANCH OWNER/REPOSITORY…
#
# It needs gh, GitHub's command line. A pull request that does not exist is named, and the others are still changed.
set -u
folder=$1 branch=$2
shift 2
failed=0
for repository in "$@"; do
  body=$folder/$(printf '%s' "$repository" | tr '/' '-').md
  [ -f "$body" ] || continue
  if ! gh pr edit "$branch" --repo "$repository" --body-file "$body"; then
    echo "not changed: the pull request of $repository" >&2
    failed=1
  fi
done
exit "$failed"

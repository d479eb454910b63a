#!/usr/bin/env bash
# Writes one comment on a pull request, and updates it in later runs, for the GitHub Action:
#
# release/comment.sh PROGRAM
#
# PROGRAM is salint-action, which finds the comment of an earlier run. COMMENT_FILE is the body of the request, COMMENT_NEW whether a comment
# is written where there is none, PULL_REQUEST the number, GH_TOKEN the token. A comment that cannot be written does not fail the step: the job
# summary has the same.
set -euo pipefail

program=${1:?usage: release/comment.sh PROGRAM}
comments=${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY/issues
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ends prints the reason for which there is no comment.
ends() {
  echo "::notice title=salint::$*"
  exit 0
}

[[ $PULL_REQUEST =~ ^[0-9]+$ ]] || ends "no comment was written: $PULL_REQUEST is not the number of a pull request"

# call METHOD ADDRESS [BODY] writes the answer to a file, and sets the status. The token is not in the arguments, which other processes see.
call() {
  local protocol='=https' body=()
  case $comments in http://127.0.0.1:*) protocol='=http' ;; esac
  [ $# -lt 3 ] || body=(--data-binary "@$3")
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$GH_TOKEN" |
    curl --config - --silent --show-error --proto "$protocol" --retry 2 --max-time 60 --request "$1" --header 'Accept: application/vnd.github+json' \
      --output "$work/answer" --write-out '%{http_code}' "${body[@]}" "$2") || ends 'no comment was written: the API cannot be reached; the job summary has the report'
}

page=1
while [ "$page" -le 30 ]; do
  call GET "$comments/$PULL_REQUEST/comments?per_page=100&page=$page"
  [ "$status" = 200 ] || ends "no comment was written: the API answers $status for the comments; the job summary has the report"
  id=$("$program" find-comment <"$work/answer")
  [ -z "$id" ] || break
  [ "$(tr -d '[:space:]' <"$work/answer")" != '[]' ] || break
  page=$((page + 1))
done

if [ -n "$id" ]; then
  call PATCH "$comments/comments/$id" "$COMMENT_FILE"
elif [ "$COMMENT_NEW" = true ]; then
  call POST "$comments/$PULL_REQUEST/comments" "$COMMENT_FILE"
else
  echo 'There is nothing to comment on.'
  exit 0
fi
case $status in
  2*) echo 'The comment is written.' ;;
  401 | 403 | 404) ends 'no comment was written: the token of this run may not write comments (it needs "pull-requests: write", and reads only on pull requests from forks); the job summary has the report' ;;
  *) ends "no comment was written: the API answers $status; the job summary has the report" ;;
esac

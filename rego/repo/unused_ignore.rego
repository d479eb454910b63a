# METADATA
# title: An ignore comment has no effect
# description: |
#   The comment silences nothing: the finding no longer exists, the rule that it names does not exist, or its date
#   (`until=`) has passed and the finding is reported again. Remove or correct the comment. A comment without a reason
#   still works, but salint requests a reason.
# custom:
#   severity: note
#   scope: program
#   fix: none
package salint.rules.repo.unused_ignore

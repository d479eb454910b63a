# METADATA
# title: A comment that silences a finding is of no use
# description: |
#   The comment silences nothing: the finding is gone, the rule it names does not exist, or its date (`until=`) has
#   passed, from when on the finding is reported again. Remove the comment, or mend what it says. A comment without a
#   reason still works, and is asked for one.
# custom:
#   severity: note
#   scope: program
#   fix: none
package salint.rules.repo.unused_ignore

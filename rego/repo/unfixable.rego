# METADATA
# title: A finding is not fixed, and why
# description: |
#   A fix was asked for, or exists, and salint does not make it: what it rests on is not in the repository, the bytes
#   cannot be changed without changing others, or it could not be proven that nobody loses or gains a permission. The
#   message names the finding and the reason, and says what to do by hand.
# custom:
#   severity: note
#   scope: program
#   fix: none
package salint.rules.repo.unfixable

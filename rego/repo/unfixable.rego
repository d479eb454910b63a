# METADATA
# title: A finding is not fixed
# description: |
#   A fix was requested or exists, and salint does not make it: something that the fix depends on is not in the
#   repository, the bytes cannot be changed without changing others, or it could not be proven that no identity loses or
#   gains a permission. The message names the finding, the reason, and what to do manually.
# custom:
#   severity: note
#   scope: program
#   fix: none
package salint.rules.repo.unfixable

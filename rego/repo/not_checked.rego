# METADATA
# title: Something was not checked
# description: |
#   salint reports everything that it does not check. The message names the reason: a file that was not read (too large,
#   or a link that leaves the repository), text that is not YAML until a template engine renders it, a
#   chart that cannot be rendered, an overlay that is not built, or an entry of a kustomization that leads outside the
#   repository or does not exist.
# custom:
#   severity: note
#   scope: program
#   fix: none
package salint.rules.repo.not_checked

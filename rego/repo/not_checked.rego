# METADATA
# title: Something was not checked, and why
# description: |
#   Nothing is passed over in silence. This note stands for files that were not read (too large, no permission, a link
#   that leaves the repository), text that is no YAML before a template engine has filled it in, charts that cannot be
#   rendered, overlays that are not built, and entries of a kustomization that lead out of the repository or nowhere.
# custom:
#   severity: note
#   scope: program
#   fix: none
package salint.rules.repo.not_checked

# METADATA
# title: A document is not valid YAML
# description: |
#   The document cannot be read, so no rule checked it. kubectl, kustomize, and the API server reject it as well. The
#   cause is broken syntax, a key that is set twice, bytes that are not UTF-8, or more levels of nesting than any
#   manifest has. The other documents of the file are checked.
#
#   Only documents that can matter are parsed. A document whose kind no rule checks is skipped, and its syntax is not
#   checked.
# custom:
#   severity: error
#   scope: program
#   fix: none
package salint.rules.repo.unparsable

# METADATA
# title: A document is not valid YAML
# description: |
#   The document cannot be read, so no rule has judged it. kubectl, kustomize and the API server refuse it as well: broken
#   syntax, a key that is set twice, bytes that are not UTF-8, or more levels of nesting than any manifest has. The other
#   documents of the file are judged all the same.
#
#   Only documents that could matter are read to the end: a document that is visibly of a kind which no rule judges is
#   passed over, and its syntax is not looked at.
# custom:
#   severity: error
#   scope: program
#   fix: none
package salint.rules.repo.unparsable

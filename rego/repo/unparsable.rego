# METADATA
# title: A document is not valid YAML, or cannot be read
# description: |
#   The document cannot be read, so no rule checked it. kubectl, kustomize, and the API server reject it as well. The
#   cause is a file without permission to read it or on a disk that fails, broken syntax, a key that is set twice, bytes that are not UTF-8, or more levels of nesting than any
#   manifest has. The other documents of the file are checked.
#
#   A file that is not a manifest, such as a template of another tool, is left out with one line in `.salint.yaml`: `exclude: [hack/templates]`. JSON
#   of other programs, with comments or without `apiVersion` and `kind`, is not an error.
#
#   Only documents that can matter are parsed, so a run without this finding does not show that all files are valid. These are
#   parsed:
#
#   * a document of a kind that an enabled rule checks and with the words that it requires, unless its text is so plain that its
#     syntax is certain, and all objects to which it refers exist;
#   * if there is such a document: the objects of Argo CD and Flux, signals of the target, what rules look up, and the accounts,
#     roles, and bindings to which names lead from it;
#   * a List, a Template, or a document that shows no `kind`, if its text names one of these kinds.
#
#   The syntax of all others is not checked: of a ConfigMap, for example, a kind that no rule needs, or of any document in a
#   repository in which no rule has anything to check. `salint lint --stats` prints how many documents were parsed. What kustomize or
#   Helm cannot build is a note of `repo/not-checked`. Use yamllint or kubeconform to check the syntax of every file.
# custom:
#   severity: error
#   scope: program
#   fix: none
package salint.rules.repo.unparsable

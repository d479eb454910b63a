# METADATA
# title: Two objects have one name
# description: |
#   `kubectl apply` and Argo CD apply all objects of a file or folder, one after the other. If two have the same kind, namespace, and name, the last
#   one replaces the other, and lists such as `subjects` are not merged: the first grants nothing. kustomize refuses such objects instead.
#
#   This rule compares documents of one file, of one folder of plain files, and of one directory that an Argo CD Application applies, and reports those whose contents
#   differ. It skips files that a kustomization or chart reads, documents with templates, and folders with tests, examples, or samples.
#   Manifests of OpenShift for different feature sets or profiles of clusters are not reported: by their annotations, a cluster gets one of them.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
#     description: Names of objects
#   - ref: https://argo-cd.readthedocs.io/en/stable/user-guide/directory/
#     description: Directories of Argo CD
# custom:
#   severity: warning
#   scope: program
#   fix: none
package salint.rules.repo.duplicate_object

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
#   examples:
#     - bad: |
#         apiVersion: olm.operatorframework.io/v1
#         kind: ClusterExtension
#         metadata:
#           name: harbor
#         spec:
#           namespace: harbor # salint:ignore olm/service-account-deprecated the cluster is upgraded in May
#     - target: olm-1.11
#       good: |
#         apiVersion: olm.operatorframework.io/v1
#         kind: ClusterExtension
#         metadata:
#           name: harbor
#         spec:
#           namespace: harbor
#           serviceAccount: # salint:ignore olm/service-account-deprecated the cluster is upgraded in May
#             name: harbor-installer
package salint.rules.repo.unused_ignore

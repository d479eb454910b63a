# METADATA
# title: A script relies on a generated token Secret
# description: |
#   Before version 1.24, Kubernetes generated a token Secret for each account, and listed it in `secrets` of the account. Scripts that read the
#   name from there (`kubectl get sa NAME -o jsonpath='{.secrets[0].name}'`), look for a Secret called `NAME-token-…`, or use
#   `default_secret_name` of Terraform's provider, find nothing on a newer cluster. On OpenShift, the list has at most a Secret for the internal
#   registry.
#
#   The bytes of all files are searched: scripts, build files, pipelines, and manifests with scripts, such as ConfigMaps and Jobs, but not
#   documentation. Nothing is reported if an account of that name lists a Secret in its manifest, if the same file adds one to the list, or if a
#   manifest has the Secret that a command looks for. It is a note if the same file also gets a token in another way, and in a folder of tests.
# related_resources:
#   - ref: https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets
#     description: Token Secrets, and since when they are not generated
#   - ref: https://kubernetes.io/docs/reference/kubectl/generated/kubectl_create/kubectl_create_token/
#     description: kubectl create token
# custom:
#   severity: warning
#   scope: program
#   fix: none
package salint.rules.token.generated_relied_on

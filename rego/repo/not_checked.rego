# METADATA
# title: Something was not checked
# description: |
#   salint reports everything that it does not check. The note does not change the exit code. Each kind of reason is one line, with the first places; `--verbose` lists all.
#
#   What ends it, in `.salint.yaml` unless said otherwise:
#
#   | reason | what to do |
#   |---|---|
#   | a remote base, chart, or source of an application | run salint where it is maintained, or list this file under `ignore:` |
#   | an entry that is not in the repository | commit the file, or remove the entry |
#   | an entry that git ignores | run salint where the file exists, and name it as PATH |
#   | an entry that the settings exclude | change `exclude` if it is applied |
#   | a patch of an object that was not read | run salint where the object is maintained |
#   | a chart with dependencies that are not in `charts/` | `helm dependency build`, and commit the result |
#   | a chart that fails without values, or whose templates make no object | `helm: {charts/app: {values: [prod.yaml]}}` |
#   | a template that tests for an API version | `helm: {charts/app: {apiVersions: [monitoring.coreos.com/v1]}}` |
#   | a kustomization that cannot be built | `kustomize build` prints the reason |
#   | variables of `substituteFrom` whose objects are not in the repository | commit the ConfigMap; Secrets are not read |
#   | a template that is not YAML | `exclude: [hack/templates]` if nothing applies it |
#   | data of tests, and files that a kustomization does not list | `tests: ["!deploy/fixtures/**"]` if a cluster gets them |
#
#   To turn the notes off for a folder, see [configuration](configuration.md#for-some-paths):
#
#   ```yaml
#   overrides:
#   - paths: ["hack/**"]
#     rules: {repo/not-checked: off}
#   ```
# custom:
#   severity: note
#   scope: program
#   fix: none
package salint.rules.repo.not_checked

# METADATA
# title: Flux or Argo CD fails to apply what the repository contains
# description: |
#   The tool that applies a folder certainly fails to build it, so nothing of it reaches the cluster, and what is live stays as it was. A
#   change that looks merged has no effect, and answers about what the folder grants are unknown. The message has the reason:
#
#   * A kustomization has `helmCharts`. Flux builds without `--enable-helm`, and so does an Argo CD whose settings are in the repository
#     (the ConfigMap `argocd-cm`, or the object `ArgoCD` of the operator), complete and without this option in `kustomize.buildOptions`.
#   * A kustomization lists a file that Flux does not fetch because of `.sourceignore`, `spec.ignore`, or `spec.sparseCheckout`.
#   * kustomize refuses what the folder contains: a file that is listed is not a Kubernetes object, or two files have the same object. In a folder
#     without a kustomization, Flux lists every YAML file.
#   * Flux cannot substitute a variable: its syntax is wrong, or it has no value and no default, and each Flux of the repository is 2.9 or later.
#     Earlier versions put nothing in its place.
#   * A template of a chart calls `fail` or `required`, with values that are all in the repository and on every cluster.
#   * A Kustomization, HelmRelease, or source, which Flux applies, has a field that the version of its API no longer has: the API server refuses it.
#
#   Only what is certain is reported. Not reported is what depends on settings, sources, values, or files that the repository does not contain, on the
#   network, on plugins, or on the version of kustomize, and what is suspended. `repo/not-checked` reports these, and everything here if this rule is off.
# related_resources:
#   - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#generating-a-kustomizationyaml-file
#     description: The kustomization that Flux generates
#   - ref: https://fluxcd.io/flux/components/kustomize/kustomizations/#post-build-variable-substitution
#     description: Variables of Flux
#   - ref: https://fluxcd.io/flux/components/source/gitrepositories/#ignore
#     description: What Flux does not fetch
#   - ref: https://argo-cd.readthedocs.io/en/stable/user-guide/kustomize/#kustomizing-helm-charts
#     description: Charts of kustomizations in Argo CD
# custom:
#   severity: warning
#   scope: program
#   fix: none
package salint.rules.gitops.not_delivered

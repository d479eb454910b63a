# METADATA
# title: A token of a role of an AppProject never expires
# description: |
#   Argo CD lists the tokens of the roles of a project in `jwtTokens`. A token without `exp` is valid until its entry is deleted, so a
#   leaked copy gives its holder the permissions of the role permanently. `argocd proj role create-token` sets no expiry
#   unless `--expires-in` is given.
#
#   Each token has one finding, by its `iat` and `id`: a baseline does not hide a token that replaces another.
#
#   Projects whose tokens are not in Git are not checked: then Argo CD adds the entries in the cluster.
# related_resources:
#   - ref: https://argo-cd.readthedocs.io/en/stable/user-guide/projects/#project-roles
#     description: Roles of projects, and their tokens
#   - ref: https://argo-cd.readthedocs.io/en/stable/user-guide/commands/argocd_proj_role_create-token/
#     description: Creating a token with an expiry
# custom:
#   severity: note
#   kinds: [AppProject.argoproj.io]
#   words: [jwtTokens]
#   fix: none
package salint.rules.gitops.project_token_never_expires

import data.salint.helpers
import data.salint.lib

# A patch that could not be built can add the expiry.
report contains finding if {
	helpers.fields_as_written
	some i, role in input.resource.spec.roles
	some j, token in role.jwtTokens
	is_object(token)
	not expires(token)
	finding := lib.finding(["spec", "roles", i, "jwtTokens", j], sprintf(
		"A token of %s of %s never expires. A leaked copy is valid until the token is deleted. %s.",
		[
			role_called(role), helpers.called(input.resource),
			"Delete it (`argocd proj role delete-token`), and create one with --expires-in",
		],
	))
}

# An expiry that is not a number is a template.
expires(token) if not object.get(token, "exp", null) in {null, 0}

role_called(role) := sprintf("role %s", [role.name]) if {
	is_string(role.name)
} else := "a role"

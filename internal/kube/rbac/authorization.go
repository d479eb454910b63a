package rbac

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// alwaysAllow is the authorization mode with which the API server allows every request, and rbacMode the one that evaluates roles.
const (
	alwaysAllow = "AlwaysAllow"
	rbacMode    = "RBAC"
)

// AuthorizationKinds returns the kinds that can set the authorization modes of an API server: static pods, and the configurations of
// kubeadm, of Cluster API, of kind, and of the API server itself.
func AuthorizationKinds() map[string][]string {
	words := []string{alwaysAllow, modeFlag, authorizersField}
	return map[string][]string{
		"Pod": words, "ClusterConfiguration": words, "KubeadmControlPlane": words, "KubeadmControlPlaneTemplate": words,
		"Cluster": words, "AuthorizationConfiguration": words,
	}
}

// AllowsEverything reports whether an object lets an API server allow every request, whatever the roles and bindings say.
//
// Source: https://kubernetes.io/docs/reference/access-authn-authz/authorization/#authorization-modules.
func AllowsEverything(o *objects.Object) bool {
	return slices.ContainsFunc(authorizationModes(o), func(modes []string) bool { return slices.Contains(modes, alwaysAllow) })
}

// EvaluatesNoRoles reports whether an object sets modes of an API server without RBAC, so that roles and bindings have no effect.
func EvaluatesNoRoles(o *objects.Object) bool {
	return slices.ContainsFunc(authorizationModes(o), func(modes []string) bool {
		return !slices.Contains(modes, rbacMode) && !slices.Contains(modes, alwaysAllow) && !slices.ContainsFunc(modes, Templated)
	})
}

// otherModes are the modes beside RBAC that can allow, and Webhook deny, what they like: of requests of nodes, Node allows some.
var otherModes = []string{"Webhook", "ABAC"}

// OtherAuthorizer returns the mode with which an API server asks something beside RBAC, so that what no role grants can be allowed; ""
// if there is none. It is first if it is asked before RBAC, and can then deny what a role grants.
//
// Source: https://kubernetes.io/docs/reference/access-authn-authz/authorization/#determine-whether-a-request-is-allowed-or-denied.
func OtherAuthorizer(o *objects.Object) (mode string, first bool) {
	for _, modes := range authorizationModes(o) {
		roles := slices.Index(modes, rbacMode)
		other := slices.IndexFunc(modes, func(mode string) bool { return slices.Contains(otherModes, mode) })
		if roles >= 0 && other >= 0 {
			return modes[other], modes[other] == otherModes[0] && other < roles
		}
	}
	return "", false
}

const (
	modeFlag         = "authorization-mode"
	authorizersField = "authorizers"
)

// authorizationModes returns the lists of modes that an object sets. A list can be an argument of a command, a field, or a pair of name and
// value; in the configuration of authorizers it has their types.
func authorizationModes(o *objects.Object) [][]string {
	if _, can := AuthorizationKinds()[o.Kind]; !can {
		return nil
	}
	var found [][]string
	add := func(modes any) {
		text, _ := modes.(string)
		var list []string
		for mode := range strings.SplitSeq(text, ",") {
			if mode = strings.TrimSpace(mode); mode != "" {
				list = append(list, mode)
			}
		}
		if len(list) > 0 {
			found = append(found, list)
		}
	}
	if o.Kind == "AuthorizationConfiguration" {
		add(typesOf(o.JSON()[authorizersField]))
		return found
	}
	walkModes(o.JSON(), add)
	return found
}

func typesOf(authorizers any) string {
	items, _ := authorizers.([]any)
	var types []string
	for _, item := range items {
		fields, _ := item.(map[string]any)
		kind, _ := fields["type"].(string)
		types = append(types, kind)
	}
	return strings.Join(types, ",")
}

// walkModes calls a function with each value of the flag inside a value.
func walkModes(value any, add func(modes any)) {
	switch v := value.(type) {
	case string:
		for line := range strings.Lines(v) { // a patch can be a text of several lines
			flag, modes, ok := strings.Cut(strings.ReplaceAll(strings.TrimLeft(strings.TrimSpace(line), "- "), ":", "="), "=")
			if ok && strings.Trim(flag, `"'`) == modeFlag {
				add(strings.Trim(modes, ` "'`))
			}
		}
	case []any:
		for i, item := range v {
			if i+1 < len(v) && item == "--"+modeFlag {
				add(v[i+1])
			}
			walkModes(item, add)
		}
	case map[string]any:
		add(v[modeFlag])
		if v["name"] == modeFlag {
			add(v["value"])
		}
		for _, item := range v {
			walkModes(item, add)
		}
	}
}

// AlwaysAllowText says what an object means for which AllowsEverything is true.
func AlwaysAllowText(o *objects.Object) string {
	name := strings.TrimSpace(o.Kind + " " + o.Name)
	return fmt.Sprintf("%s sets the authorization mode %s, with which the API server allows every request to everyone", name, alwaysAllow)
}

// NoRolesText says what an object means for which EvaluatesNoRoles is true.
func NoRolesText(o *objects.Object) string {
	name := strings.TrimSpace(o.Kind + " " + o.Name)
	return fmt.Sprintf("%s sets authorization modes without %s, with which roles and bindings have no effect", name, rbacMode)
}

// OtherAuthorizerText says what an object means for which OtherAuthorizer returns a mode.
func OtherAuthorizerText(o *objects.Object, mode string, first bool) string {
	name := strings.TrimSpace(o.Kind + " " + o.Name)
	if first {
		return fmt.Sprintf("%s sets the authorization mode %s before %s, which can deny what a role grants, and allow what none grants", name, mode, rbacMode)
	}
	return fmt.Sprintf("%s sets the authorization mode %s beside %s, which can allow what no role grants", name, mode, rbacMode)
}

package rbac

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// alwaysAllow is the authorization mode with which the API server allows every request, and rbacMode the one that evaluates roles.
const (
	alwaysAllow = "AlwaysAllow"
	rbacMode    = "RBAC"
)

// authorizationKinds can set the authorization modes of the API server of a cluster: static pods, its configuration, and the objects and settings of
// installers. Those of clusters inside of another one decide nothing about the objects beside them.
var authorizationKinds = func() []string {
	kinds := []string{"AuthorizationConfiguration", "Pod"}
	for _, known := range objects.InstalledPlanes() {
		kind, _, _ := strings.Cut(known, ".")
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}()

// AuthorizationKinds returns the kinds that can set the authorization modes of an API server, each with words that its objects have.
func AuthorizationKinds() map[string][]string {
	kinds := map[string][]string{}
	for _, kind := range authorizationKinds {
		kinds[kind] = []string{alwaysAllow, modeFlag, authorizersField, configFlag, kopsModes, kopsAlwaysAllow}
	}
	return kinds
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
	configFlag       = "authorization-config"
	authorizersField = "authorizers"
	kopsModes        = "authorizationMode"
	kopsAlwaysAllow  = "alwaysAllow"
)

// ReadsAuthorizers reports whether an API server takes its modes from a file, which can be in another place than the repository.
func ReadsAuthorizers(o *objects.Object) bool {
	return slices.Contains(authorizationKinds, o.Kind) && len(valuesOf(o.JSON(), configFlag)) > 0
}

// authorizationModes returns the lists of modes that an object sets. A list can be an argument of a command, a field, or a pair of name and
// value; in the configuration of authorizers it has their types.
func authorizationModes(o *objects.Object) [][]string {
	if !slices.Contains(authorizationKinds, o.Kind) {
		return nil
	}
	var texts []string
	switch fields := o.JSON(); {
	case o.Kind == "AuthorizationConfiguration":
		texts = []string{typesOf(fields[authorizersField])}
	case o.Group == "kops.k8s.io":
		texts = kopsModesOf(o.Node.Get("spec"))
	default:
		texts = valuesOf(fields, modeFlag)
	}
	var found [][]string
	for _, text := range texts {
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
	return found
}

// kopsModesOf returns the modes of a cluster of kops, which has a field for each flag, and by default RBAC.
// https://github.com/kubernetes/kops/blob/v1.31.0/pkg/apis/kops/v1alpha2/cluster.go (AuthorizationSpec)
func kopsModesOf(spec *manifest.Node) []string {
	if spec.Lookup(manifest.Path{"authorization", kopsAlwaysAllow}).IsMapping() {
		return []string{alwaysAllow}
	}
	return []string{spec.Lookup(manifest.Path{"kubeAPIServer", kopsModes}).String()}
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

// valuesOf returns the values of a flag inside a value. Those of a list are one.
func valuesOf(value any, flag string) (found []string) {
	switch v := value.(type) {
	case string:
		for line := range strings.Lines(v) { // a patch can be a text of several lines
			name, text, ok := strings.Cut(strings.ReplaceAll(strings.TrimLeft(strings.TrimSpace(line), "- "), ":", "="), "=")
			if strings.HasPrefix(name, "kube-apiserver-arg") { // of k3s, which hands it on
				name, text, ok = strings.Cut(text, "=")
			}
			if ok && strings.Trim(name, `"'`) == flag {
				found = append(found, strings.Trim(text, ` "'`))
			}
		}
	case []any:
		for i, item := range v {
			if i+1 < len(v) && item == "--"+flag {
				found = append(found, listed(v[i+1])...)
			}
			found = append(found, valuesOf(item, flag)...)
		}
	case map[string]any:
		found = listed(v[flag])
		if v["name"] == flag {
			found = append(found, listed(v["value"])...)
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != flag {
				found = append(found, valuesOf(v[name], flag)...)
			}
		}
	}
	return found
}

// listed returns a text, or the texts of a list as one.
func listed(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var texts []string
		for _, item := range v {
			if text, is := item.(string); is {
				texts = append(texts, text)
			}
		}
		return []string{strings.Join(texts, ",")}
	}
	return nil
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

// ReadsAuthorizersText says what an object means for which ReadsAuthorizers is true.
func ReadsAuthorizersText(o *objects.Object) string {
	name := strings.TrimSpace(o.Kind + " " + o.Name)
	return fmt.Sprintf("%s takes the authorization modes from a file (--%s), and the repository has no AuthorizationConfiguration: a mode beside %s can allow what no role grants", name, configFlag, rbacMode)
}

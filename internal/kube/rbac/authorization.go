package rbac

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
)

// alwaysAllow is the authorization mode with which the API server allows every request.
const alwaysAllow = "AlwaysAllow"

// AuthorizationKinds returns the kinds that can set the authorization modes of an API server: static pods, and the configurations of
// kubeadm, of Cluster API, of kind, and of the API server itself.
func AuthorizationKinds() map[string][]string {
	words := []string{alwaysAllow}
	return map[string][]string{
		"Pod": words, "ClusterConfiguration": words, "KubeadmControlPlane": words, "KubeadmControlPlaneTemplate": words,
		"Cluster": words, "AuthorizationConfiguration": words,
	}
}

// AllowsEverything reports whether an object lets an API server allow every request, whatever the roles and bindings say.
//
// Source: https://kubernetes.io/docs/reference/access-authn-authz/authorization/#authorization-modules.
func AllowsEverything(o *objects.Object) bool {
	if _, can := AuthorizationKinds()[o.Kind]; !can {
		return false
	}
	return setsAlwaysAllow(o.JSON(), o.Kind == "AuthorizationConfiguration")
}

const modeFlag = "authorization-mode"

// setsAlwaysAllow searches a value for the flag with the mode: as an argument of a command, as a field, or as a pair of name and value. In
// the configuration of authorizers, it searches for their type.
func setsAlwaysAllow(value any, authorizers bool) bool {
	switch v := value.(type) {
	case string:
		for line := range strings.Lines(v) { // a patch can be a text of several lines
			flag, modes, ok := strings.Cut(strings.ReplaceAll(strings.TrimLeft(strings.TrimSpace(line), "- "), ":", "="), "=")
			if ok && strings.Trim(flag, `"'`) == modeFlag && hasMode(strings.Trim(modes, ` "'`)) {
				return true
			}
		}
	case []any:
		for i, item := range v {
			next := i+1 < len(v) && item == "--"+modeFlag && hasMode(v[i+1])
			if next || setsAlwaysAllow(item, authorizers) {
				return true
			}
		}
	case map[string]any:
		if hasMode(v[modeFlag]) || v["name"] == modeFlag && hasMode(v["value"]) || authorizers && v["type"] == alwaysAllow {
			return true
		}
		for _, item := range v {
			if setsAlwaysAllow(item, authorizers) {
				return true
			}
		}
	}
	return false
}

func hasMode(modes any) bool {
	text, _ := modes.(string)
	for mode := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(mode) == alwaysAllow {
			return true
		}
	}
	return false
}

// AlwaysAllowText says what an object means for which AllowsEverything is true.
func AlwaysAllowText(o *objects.Object) string {
	name := strings.TrimSpace(o.Kind + " " + o.Name)
	return fmt.Sprintf("%s sets the authorization mode %s, with which the API server allows every request to everyone", name, alwaysAllow)
}

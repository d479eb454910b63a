package controlled

import (
	"slices"

	"github.com/salint/salint/internal/kube/objects"
)

const constraintsKind = "SecurityContextConstraints"

// IsConstraints reports whether an object is one of the SecurityContextConstraints of OpenShift.
func IsConstraints(o *objects.Object) bool {
	return o.Group == "security.openshift.io" && o.Kind == constraintsKind
}

// allowances are the fields of SecurityContextConstraints that allow a pod to leave its containers.
//
// Source: openshift/api, security/v1 (SecurityContextConstraints).
var allowances = []struct{ field, text string }{
	{"allowPrivilegedContainer", "privileged containers"},
	{"allowHostDirVolumePlugin", "folders of nodes"},
	{"allowHostPID", "processes of nodes"},
	{"allowHostIPC", "memory of nodes"},
	{"allowHostNetwork", "the network of nodes"},
	{"allowHostPorts", "ports of nodes"},
}

// Allowed returns what the pods of SecurityContextConstraints can do beyond those of the default ones, in words.
func Allowed(o *objects.Object) []string {
	if o == nil {
		return nil
	}
	var list []string
	fields := o.JSON()
	for _, a := range allowances {
		if is, _ := fields[a.field].(bool); is {
			list = append(list, a.text)
		}
	}
	if capabilities := texts(fields["allowedCapabilities"]); len(capabilities) > 0 && !slices.Equal(capabilities, []string{"NET_BIND_SERVICE"}) {
		list = append(list, "further capabilities")
	}
	if user, _ := fields["runAsUser"].(map[string]any); user["type"] == "RunAsAny" {
		list = append(list, "root in containers")
	}
	return list
}

// UsersOf returns the users and groups that SecurityContextConstraints list. Others use them by a role.
func UsersOf(o *objects.Object) []string {
	if o == nil {
		return nil
	}
	var names []string
	for _, name := range texts(o.JSON()["users"]) {
		if account, ok := objects.ParseUser(name); ok {
			names = append(names, "ServiceAccount "+account.Namespace+"/"+account.Name)
			continue
		}
		names = append(names, "User "+name)
	}
	for _, name := range texts(o.JSON()["groups"]) {
		names = append(names, "Group "+name)
	}
	return names
}

func texts(value any) []string {
	items, _ := value.([]any)
	var list []string
	for _, item := range items {
		if text, ok := item.(string); ok && text != "" {
			list = append(list, text)
		}
	}
	return list
}

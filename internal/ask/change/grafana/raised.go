package grafana

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// Kind is the kind of a service account of Grafana, and group its API group.
const (
	Kind  = "GrafanaServiceAccount"
	group = "grafana.integreatly.org"
)

// IsAccount reports whether an object is a service account of Grafana.
func IsAccount(o *objects.Object) bool { return o.Group == group && o.Kind == Kind }

// ranks are the roles in the order of what they allow.
var ranks = []string{"", "Viewer", "Editor", "Admin"}

// Raised returns what who has a token of an account gains by a change, as a sentence without a full stop; ok is false if nothing. The
// earlier state is nil for a new account, which is only worth a sentence if it is an administrator.
func Raised(then, now *objects.Object) (text string, severity finding.Severity, ok bool) {
	role := roleOf(now)
	switch {
	case slices.Index(ranks, role) <= slices.Index(ranks, roleOf(then)), then == nil && role != "Admin":
		return "", 0, false
	case role != "Admin":
		return fmt.Sprintf("%s gets the role %s in Grafana %s", holders(now), role, instance(now)), finding.Note, true
	}
	return fmt.Sprintf("%s becomes an administrator of Grafana %s", holders(now), instance(now)), finding.Warning, true
}

// roleOf returns the role that the tokens of an account have; "" if they have none.
func roleOf(o *objects.Object) string {
	if o == nil || o.Node.Lookup(manifest.Path{"spec", "isDisabled"}).String() == "true" {
		return ""
	}
	return o.Node.Lookup(manifest.Path{"spec", "role"}).String()
}

func instance(o *objects.Object) string {
	return o.Node.Lookup(manifest.Path{"spec", "instanceName"}).String()
}

// holders names who has the tokens of an account.
func holders(o *objects.Object) string {
	var secrets []string
	for _, token := range objects.Items(o.Node.Lookup(manifest.Path{"spec", "tokens"})) {
		if name := token.Get("secretName").String(); name != "" {
			secrets = append(secrets, name)
		}
	}
	switch len(secrets) {
	case 0:
		return fmt.Sprintf("anyone with a token of %s %s", Kind, o.Name)
	case 1:
		return "anyone who can read Secret " + secrets[0]
	}
	return "anyone who can read Secrets " + words.And(secrets)
}

package starter

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"
)

// GrafanaRoles are the roles of Grafana's service accounts, the least powerful first.
var GrafanaRoles = []string{"Viewer", "Editor", "Admin"}

// GrafanaAccount is a service account of a Grafana instance with one token.
type GrafanaAccount struct {
	// Name is the name of the resource, of the account and of its token. Namespace can be "", to be set when the manifest is
	// applied.
	Name, Namespace string
	// Instance is the name of the Grafana.
	Instance string
	Role     string
	Expires  time.Time
}

//go:embed grafana.yaml
var grafanaText string

var grafanaTemplate = template.Must(template.New("grafana").Funcs(template.FuncMap{"quote": quote}).Parse(grafanaText))

// Manifest writes the account, and a Role for creating more accounts, as YAML. The error names an invalid name or role.
func (a GrafanaAccount) Manifest() ([]byte, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := grafanaTemplate.Execute(&b, struct{ Name, Namespace, Instance, Role, Expires, Secret string }{
		a.Name, a.Namespace, a.Instance, a.Role, a.Expires.UTC().Format(time.RFC3339), a.Name + secretSuffix,
	})
	return b.Bytes(), err
}

const secretSuffix = "-grafana-token"

func (a GrafanaAccount) check() error {
	for _, name := range []struct{ what, value string }{{"name", a.Name}, {"instance", a.Instance}} {
		if n := len(name.value); n > validation.LabelValueMaxLength {
			return fmt.Errorf("--%s has %d characters: grafana-operator writes it into a label of the Secret, which can have %d",
				name.what, n, validation.LabelValueMaxLength)
		}
		if faults := validation.IsDNS1123Subdomain(name.value); len(faults) > 0 {
			return fmt.Errorf("--%s %q cannot be the name of an object: %s", name.what, name.value, short(faults[0]))
		}
	}
	if faults := validation.IsDNS1123Label(a.Namespace); a.Namespace != "" && len(faults) > 0 {
		return fmt.Errorf("--namespace %q cannot be the name of a namespace: %s", a.Namespace, short(faults[0]))
	}
	if !slices.Contains(GrafanaRoles, a.Role) {
		return fmt.Errorf("--role %q is unknown: use %s", a.Role, strings.Join(GrafanaRoles, ", "))
	}
	return nil
}

// short returns Kubernetes' message about a name without its example and regular expression.
func short(fault string) string {
	fault, _, _ = strings.Cut(fault, " (e.g.")
	return fault
}

// quote writes a text as YAML, in quotes if it would be read as another type.
func quote(text string) (string, error) {
	data, err := yaml.Marshal(text)
	return strings.TrimSpace(string(data)), err
}

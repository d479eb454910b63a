package starter

import (
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

var account = GrafanaAccount{
	Name: "exporter", Namespace: "monitoring", Instance: "grafana", Role: "Viewer",
	Expires: time.Date(2026, 5, 1, 14, 0, 0, 0, time.FixedZone("", 2*60*60)),
}

// decoded is the part of a manifest that the test checks.
type decoded struct {
	Kind     string
	Metadata struct{ Name, Namespace string }
	Spec     struct {
		InstanceName, Role string
		Tokens             []struct{ Name, Expires, SecretName string }
	}
}

func TestManifest(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"exporter", "123", "true", "null", "1e3", "a.b", strings.Repeat("a", 63)} {
		a := account
		a.Name = name
		text, err := a.Manifest()
		if err != nil {
			t.Fatal(err)
		}
		documents := strings.Split(string(text), "\n---\n")
		var first, second decoded
		if err := yaml.Unmarshal([]byte(documents[0]), &first); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := yaml.Unmarshal([]byte(documents[1]), &second); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		token := first.Spec.Tokens[0]
		if first.Metadata.Name != name || token.Name != name || token.SecretName != name+"-grafana-token" || token.Expires != "2026-05-01T12:00:00Z" {
			t.Errorf("%s became\n%s", name, text)
		}
		if second.Kind != "Role" || second.Metadata.Namespace != "monitoring" {
			t.Errorf("no Role in the namespace:\n%s", text)
		}
	}
}

func TestNamespaceIsOptional(t *testing.T) {
	t.Parallel()
	a := account
	a.Namespace = ""
	text, err := a.Manifest()
	if err != nil || strings.Contains(string(text), "\n  namespace:") {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*GrafanaAccount){
		`--name "Exporter" cannot`:   func(a *GrafanaAccount) { a.Name = "Exporter" },
		`--name "../a" cannot`:       func(a *GrafanaAccount) { a.Name = "../a" },
		`--name "a\nb" cannot`:       func(a *GrafanaAccount) { a.Name = "a\nb" },
		`--name "a-" cannot`:         func(a *GrafanaAccount) { a.Name = "a-" },
		"--name has 64 characters":   func(a *GrafanaAccount) { a.Name = strings.Repeat("a", 64) },
		"--instance has 300":         func(a *GrafanaAccount) { a.Instance = strings.Repeat("a", 300) },
		`--instance "a: b" cannot`:   func(a *GrafanaAccount) { a.Instance = "a: b" },
		`--namespace "a.b" cannot`:   func(a *GrafanaAccount) { a.Namespace = "a.b" },
		`--role "viewer" is unknown`: func(a *GrafanaAccount) { a.Role = "viewer" },
	} {
		a := account
		change(&a)
		if _, err := a.Manifest(); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "regex") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

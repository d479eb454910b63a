package crd

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/ask/starter"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/objects/assembly"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/evaluate"
)

// crdVariable names the environment variable with the CRD of GrafanaServiceAccounts from a release of grafana-operator.
const crdVariable = "SALINT_GRAFANA_CRD"

var (
	runs = flag.Int("runs", 10_000, "how many objects to make up")
	seed = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the first object; the next has one more")
)

// TestGrafanaSchema compares the reports of grafana/schema about random objects, most of them invalid, with the API server:
// refused fields, dropped fields, times that the operator cannot decode, and names that it cannot use.
func TestGrafanaSchema(t *testing.T) {
	api := released(t)
	linter := newLinter(t)
	t.Logf("seed %d", *seed)
	good, bad := 0, 0
	for i := range *runs {
		object := generate(rand.New(rand.NewPCG(*seed+uint64(i), 0)))
		text := written(t, object)
		want := expected(t, api, text)
		got := linter.report(t, text)
		if !slices.Equal(want, got) {
			t.Errorf("go test ./crd -runs 1 -seed %d\n%s\nAPI server: %s\nsalint:     %s",
				*seed+uint64(i), text, strings.Join(want, ", "), strings.Join(got, ", "))
		}
		if t.Failed() {
			return
		}
		if len(want) == 0 {
			good++
		} else {
			bad++
		}
	}
	t.Logf("%d objects that pass, %d that do not", good, bad)
	if *runs > 1000 && (good < *runs/50 || bad < *runs/50) {
		t.Error("too few objects of one sort: the comparison proves little")
	}
}

// released returns an API server with the released CRD.
func released(t *testing.T) *server {
	t.Helper()
	path := os.Getenv(crdVariable)
	if path == "" {
		t.Skipf("set %s to the file with the CRD of GrafanaServiceAccounts to compare with it", crdVariable)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	api, err := newServer(text)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return api
}

// TestStarter checks that the API server accepts the output of `salint init grafana`, and that the rule reports nothing.
func TestStarter(t *testing.T) {
	api := released(t)
	linter := newLinter(t)
	for _, role := range starter.GrafanaRoles {
		for _, name := range []string{"exporter", "123", "true", "a.b", strings.Repeat("x", 63)} {
			account := starter.GrafanaAccount{Name: name, Namespace: "monitoring", Instance: name, Role: role, Expires: time.Now()}
			text, err := account.Manifest()
			if err != nil {
				t.Fatal(err)
			}
			text, _, _ = bytes.Cut(text, []byte("\n---\n"))
			if want := expected(t, api, text); len(want) > 0 {
				t.Errorf("%s\nAPI server: %s", text, strings.Join(want, ", "))
			}
			if got := linter.report(t, text); len(got) > 0 {
				t.Errorf("%s\nsalint: %s", text, strings.Join(got, ", "))
			}
		}
	}
}

// written is an object in YAML. A scalar that does not need quotes can be written with or without them.
func written(t *testing.T, object map[string]any) []byte {
	t.Helper()
	text, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return rawMarks.ReplaceAll(text, []byte("$1"))
}

// expected returns what the rule must report: fields and their fate.
func expected(t *testing.T, api *server, text []byte) []string {
	t.Helper()
	object := decode(t, text)
	late := undecodable(object)
	hasSpec := object["spec"] != nil
	_, hasStatus := object["status"]
	answer := api.create(object)
	var lines []string
	for _, path := range answer.refused {
		lines = append(lines, path+" refused")
	}
	for _, path := range answer.dropped {
		lines = append(lines, path+" dropped")
	}
	for _, path := range late {
		if !slices.Contains(answer.refused, path) {
			lines = append(lines, path+" undecodable")
		}
	}
	if !hasSpec && !hasStatus {
		lines = append(lines, " useless") // passes the schema, see the rule's description
	}
	for _, path := range unstorable(object) {
		lines = append(lines, path+" unstorable")
	}
	return decided(lines)
}

// decided sorts the lines, and leaves out two kinds: a duplicate item if its name is missing or has a wrong type, because
// items without a name are alike; and a field that is dropped from a refused value, because the API server drops fields of
// a mapping even if it then requires a list there.
func decided(lines []string) []string {
	lines = without(sorted(slices.Clone(lines)), func(path, _, refused string) bool { return refused == path+".name" })
	return without(lines, func(path, fate, refused string) bool {
		return fate == "dropped" && strings.HasPrefix(path, refused+".")
	})
}

// without leaves out the lines, each a path and its fate, that are redundant next to the path of a refused value.
func without(lines []string, needless func(path, fate, refused string) bool) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		path, fate, _ := strings.Cut(line, " ")
		return slices.ContainsFunc(lines, func(other string) bool {
			refused, isRefused := strings.CutSuffix(other, " refused")
			return isRefused && needless(path, fate, refused)
		})
	})
}

func decode(t *testing.T, text []byte) map[string]any {
	t.Helper()
	data, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		t.Fatal(err)
	}
	return integers(object).(map[string]any)
}

// integers converts numbers to the types that the API server decodes them to.
func integers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key := range value {
			value[key] = integers(value[key])
		}
	case []any:
		for i := range value {
			value[i] = integers(value[i])
		}
	case json.Number:
		if n, err := value.Int64(); err == nil {
			return n
		}
		f, _ := value.Float64()
		return f
	}
	return value
}

// linter runs the one rule.
type linter struct{ evaluator *evaluate.Evaluator }

func newLinter(t *testing.T) linter {
	t.Helper()
	registry, err := rules.Load(t.Context(), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	evaluator, err := registry.Evaluator(t.Context(), []string{"grafana/schema"})
	if err != nil {
		t.Fatal(err)
	}
	return linter{evaluator}
}

// report lists the fields that the rule reports, with their fate according to its messages.
func (l linter) report(t *testing.T, text []byte) []string {
	t.Helper()
	doc := manifest.Scan("account.yaml", text).Docs[0]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	units := assembly.Units(objects.Objects(doc), nil)
	world := evalcontext.Context{Unit: units[0], Units: units, Target: olm.Target{Model: olm.Ignored}}
	reports, err := l.evaluator.Evaluate(t.Context(), world, units[0].Objects[0])
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var lines []string
	for _, report := range reports {
		path := strings.ReplaceAll(report.Path.String(), `[""]`, ".") // the API server's notation for a key without letters
		if strings.Contains(report.Message, "occurs twice") {
			path = strings.TrimSuffix(path, ".name") // the API server reports the whole item
		}
		lines = append(lines, path+" "+fate(report.Message))
	}
	return decided(lines)
}

func fate(message string) string {
	for text, fate := range map[string]string{
		"The API server rejects the object.":        "refused",
		"The API server drops it":                   "dropped",
		"the operator cannot decode it":             "undecodable",
		"the operator creates no account":           "unstorable",
		"creates a token each time and stores none": "unstorable",
		"the operator finds no Grafana for it":      "useless",
	} {
		if strings.Contains(message, text) {
			return fate
		}
	}
	return message
}

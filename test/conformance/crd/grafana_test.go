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
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/rules"
)

// crdVariable names the CRD of GrafanaServiceAccounts that grafana-operator releases.
const crdVariable = "SALINT_GRAFANA_CRD"

var (
	runs = flag.Int("runs", 10_000, "how many objects to make up")
	seed = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the first object; the next has one more")
)

// TestGrafanaSchema makes up objects, most of them with something wrong, and holds what grafana/schema reports beside what
// becomes of them in the API server: field by field what is refused, what is dropped, which times the operator cannot
// decode, and which names it can do nothing with.
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

// released does what the API server does that has the CRD.
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

// TestStarter has the API server take what `salint init grafana` writes, and the rule report nothing.
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

// written is an object in YAML. A scalar in it may be written as it is read, in quotes or without.
func written(t *testing.T, object map[string]any) []byte {
	t.Helper()
	text, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return rawMarks.ReplaceAll(text, []byte("$1"))
}

// expected says what the rule has to report: fields and what becomes of them.
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

// decided sorts the lines, and leaves out two things: that an item is there twice, if its name is missing or of a wrong
// type, for items without a name are alike; and then what is dropped from something that is refused, for the API server
// drops fields of a mapping also where it then finds that a list should stand there.
func decided(lines []string) []string {
	lines = without(sorted(slices.Clone(lines)), func(path, _, refused string) bool { return refused == path+".name" })
	return without(lines, func(path, fate, refused string) bool {
		return fate == "dropped" && strings.HasPrefix(path, refused+".")
	})
}

// without leaves out the lines, each a path and its fate, that are needless beside the path of something that is refused.
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

// integers makes numbers what the API server decodes them to.
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
type linter struct{ evaluator *rules.Evaluator }

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

// report lists the fields that the rule reports, and what becomes of them by its messages.
func (l linter) report(t *testing.T, text []byte) []string {
	t.Helper()
	doc := manifest.Scan("account.yaml", text).Docs[0]
	if err := doc.Parse(); err != nil {
		t.Fatal(err)
	}
	units := objects.Units(objects.Objects(doc), nil)
	world := rules.EvalContext{Unit: units[0], Units: units, Target: olm.Target{Model: olm.Ignored}}
	reports, err := l.evaluator.Evaluate(t.Context(), world, units[0].Objects[0])
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var lines []string
	for _, report := range reports {
		path := strings.ReplaceAll(report.Path.String(), `[""]`, ".") // as the API server writes a key without letters
		if strings.Contains(report.Message, "is there twice") {
			path = strings.TrimSuffix(path, ".name") // where the API server sees the whole item
		}
		lines = append(lines, path+" "+fate(report.Message))
	}
	return decided(lines)
}

func fate(message string) string {
	for text, fate := range map[string]string{
		"The API server refuses the object.":      "refused",
		"The API server drops it":                 "dropped",
		"the operator can then decode no account": "undecodable",
		"the operator creates no account":         "unstorable",
		"the operator cannot store the token":     "unstorable",
		"the operator finds no Grafana for it":    "useless",
	} {
		if strings.Contains(message, text) {
			return fate
		}
	}
	return message
}

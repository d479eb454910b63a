package pods_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/salint/salint/internal/proof/verify/verifytest"
	"github.com/salint/salint/test/long"
)

// TestAliasesInRandomLayouts fixes random workloads in random layouts: the fix leaves the expected object, and every other
// byte as it was. A second run changes nothing.
func TestAliasesInRandomLayouts(t *testing.T) {
	t.Parallel()
	renamed, dropped, refused := 0, 0, 0
	for seed := range int64(long.Runs(400, 2000)) {
		g := &aliases{Rand: rand.New(rand.NewSource(seed))}
		fixer := g.one("rename-account-alias", "drop-account-alias")
		repo := verifytest.Repo{"w.yaml": g.file()}
		request := verifytest.Request{Fixer: fixer, Kind: g.kind, Name: "w", Path: g.path + ".serviceAccount"}
		result := repo.Run(t, verifytest.Options{Target: "ignored"}, request)
		before, after := repo["w.yaml"], result.After["w.yaml"]
		fail := func(what string) {
			t.Fatalf("seed %d, %s: %s\n%s\nafterwards\n%s\n%s", seed, fixer, what, before, after, result.Report())
		}
		want := g.expected(fixer)
		if got := decoded(t, after); cmp.Diff(g.around(want), got) != "" {
			fail(cmp.Diff(g.around(want), got))
		}
		switch {
		case before == after:
			refused++
			if cmp.Diff(want, g.pod()) != "" {
				fail("nothing was done")
			}
			continue
		case len(after) > len(before):
			renamed++
			if strings.Replace(after, "serviceAccountName", "serviceAccount", 1) != before {
				fail("more than the key was changed")
			}
		default:
			dropped++
			if what := g.lost(before, after); what != "" {
				fail(what)
			}
		}
		if again := result.After.Run(t, verifytest.Options{Target: "ignored"}, request).After["w.yaml"]; again != after {
			fail("the second run makes of it\n" + again)
		}
	}
	if renamed < 40 || dropped < 60 {
		t.Errorf("renamed %d, dropped %d, refused %d: the workloads are not worth much", renamed, dropped, refused)
	}
}

// aliases generates random workloads.
type aliases struct {
	*rand.Rand
	kind, path string
	wrap       func(pod any) any
	account    []pair // of the pod
	newline    string
}

// pair is a field of a mapping, in the order in which it is written.
type pair struct {
	key   string
	value any // string, []pair, or []any
}

// otherFields are the fields of the pod in addition to its account, including similar ones.
var otherFields = []pair{
	{"containers", []any{[]pair{{"name", "main"}, {"image", "a:1"}, {"env", []any{[]pair{{"name", "serviceAccount"}, {"value", "a"}}}}}}},
	{"nodeSelector", []pair{{"serviceAccount", "label"}}},
}

func (g *aliases) one(of ...string) string { return of[g.Intn(len(of))] }

func (g *aliases) file() string {
	g.newline = g.one("\n", "\n", "\r\n")
	apiVersion := ""
	g.kind, apiVersion, g.path = "Deployment", "apps/v1", "spec.template.spec"
	switch g.Intn(4) {
	case 0:
		g.kind, apiVersion, g.path = "Pod", "v1", "spec"
	case 1:
		g.kind, apiVersion, g.path = "CronJob", "batch/v1", "spec.jobTemplate.spec.template.spec"
	}
	list := g.one("", "", "List", "Template")
	g.wrap = func(pod any) any {
		for _, step := range slices.Backward(strings.Split(g.path, ".")) {
			pod = []pair{{step, pod}}
		}
		o := append([]pair{{"apiVersion", apiVersion}, {"kind", g.kind}, {"metadata", []pair{{"name", "w"}}}}, pod.([]pair)...)
		switch list {
		case "List":
			return []pair{{"apiVersion", "v1"}, {"kind", "List"}, {"items", []any{o}}}
		case "Template":
			return []pair{{"apiVersion", "template.openshift.io/v1"}, {"kind", "Template"}, {"metadata", []pair{{"name", "t"}}}, {"objects", []any{o}}}
		}
		return o
	}
	g.account = g.accounts()
	pod := g.account
	for _, f := range otherFields {
		at := g.Intn(len(pod) + 1)
		pod = slices.Insert(slices.Clone(pod), at, f)
	}
	text := g.one("", "# keep\n", "---\n") + strings.TrimSuffix(g.write(g.wrap(pod), "", g.Intn(8) == 0), "\n") + "\n"
	if g.Intn(4) == 0 {
		text = strings.TrimSuffix(text, "\n")
	} else if g.Intn(4) == 0 {
		text += "---\n# keep\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {serviceAccount: a}\n"
	}
	return strings.ReplaceAll(text, "\n", g.newline)
}

// accounts returns one or both of the two fields.
func (g *aliases) accounts() []pair {
	alias := pair{"serviceAccount", g.one("a", "a", "a", "")}
	name := pair{"serviceAccountName", g.one("a", "b", "")}
	switch g.Intn(4) {
	case 0:
		return []pair{alias, name}
	case 1:
		return []pair{name, alias}
	}
	return []pair{alias}
}

// pod returns the accounts of the pod as they were written.
func (g *aliases) pod() map[string]any {
	pod := map[string]any{}
	for _, f := range g.account {
		pod[f.key] = f.value
	}
	return pod
}

// expected returns the accounts that a fixer leaves.
func (g *aliases) expected(fixer string) map[string]any {
	pod := g.pod()
	alias, name := pod["serviceAccount"], pod["serviceAccountName"]
	isNamed := name != nil && name != ""
	switch {
	case fixer == "drop-account-alias" && !isNamed,
		fixer == "rename-account-alias" && isNamed && alias != "" && alias != name:
		return pod
	case !isNamed && alias != "":
		pod["serviceAccountName"] = alias
	}
	delete(pod, "serviceAccount")
	return pod
}

// around returns the decoded file with some accounts.
func (g *aliases) around(accounts map[string]any) any {
	pod := slices.Clone(otherFields)
	for key, value := range accounts {
		pod = append(pod, pair{key, value})
	}
	return plain(g.wrap(pod))
}

func plain(value any) any {
	switch value := value.(type) {
	case []pair:
		fields := map[string]any{}
		for _, f := range value {
			fields[f.key] = plain(f.value)
		}
		return fields
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = plain(item)
		}
		return items
	}
	return value
}

// decoded returns the first document of a file.
func decoded(t *testing.T, text string) any {
	t.Helper()
	text = strings.ReplaceAll(text, "\r\n", "\n")
	first, _, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	var value any
	if err := yaml.Unmarshal([]byte(first), &value); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return value
}

// lost returns what is missing after the fix but should have stayed. The style of a moved value may differ.
func (g *aliases) lost(before, after string) string {
	if strings.Count(before, "# keep") != strings.Count(after, "# keep") {
		return "a comment of something else is lost"
	}
	if g.pod()["serviceAccountName"] == "" {
		return ""
	}
	n := 0
	for n < len(after) && before[n] == after[n] {
		n++
	}
	removed := before[n : n+len(before)-len(after)]
	if before[:n]+before[n+len(removed):] != after {
		return fmt.Sprintf("more than one stretch was changed, from %q on", removed)
	}
	if strings.Count(removed, ":") != 1 {
		return fmt.Sprintf("%q was removed", removed)
	}
	return ""
}

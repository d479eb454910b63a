package helm_test

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/fixers/engine/enginetest"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/test/long"
)

// TestRandomPrunedTemplates removes the accounts of random charts with all that granted them something: the objects that are left
// are the same, and nothing is added to a file.
func TestRandomPrunedTemplates(t *testing.T) {
	t.Parallel()
	pruned := 0
	for seed := range int64(long.Runs(16, 80)) {
		g := chartGenerator{rand.New(rand.NewSource(seed))}
		repo := g.chartWithAccounts()
		c := repo.pruning(t)
		work := repo.ask(t, c, "remove-service-account", func(state olm.AccountState) bool { return state == olm.Named })
		plans := work.Plans()
		for _, outcome := range work.Prunes {
			if outcome.Plan != nil {
				pruned++
			} else if !strings.Contains(outcome.Refusal.Reason, "which stays") {
				t.Errorf("seed %d: %v", seed, outcome.Refusal)
			}
		}
		after := repo.merged(t, c, plans)
		if diff := cmp.Diff(declared(t, c, plans), appliedObjects(t, after.units(t))); diff != "" {
			t.Errorf("seed %d: -declared +rendered:\n%s", seed, diff)
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s\n=== after\n%s", seed, repo["ops/templates/rbac.yaml"], after["ops/templates/rbac.yaml"])
		}
	}
	if pruned < 8 {
		t.Errorf("only %d accounts were pruned: the charts are not worth much", pruned)
	}
}

// pruning returns a context of a run with --prune, for a release that ignores the accounts.
func (r chartRepo) pruning(t *testing.T) *engine.Context {
	t.Helper()
	c := r.context(t, "", nil)
	ignored, err := olm.ParseTarget("ignored")
	if err != nil {
		t.Fatal(err)
	}
	c.Policy.Prune = true
	find := func(names []string) (map[string][]uses.Place, error) {
		files := func(yield func(string, []byte) bool) {
			for _, file := range slices.Sorted(maps.Keys(r)) {
				if !yield(file, []byte(r[file])) {
					return
				}
			}
		}
		return uses.Find(t.Context(), files, names)
	}
	c.Lookups = &enginetest.Lookups{Targets: func(*objects.Unit, *objects.Object) olm.Target { return ignored }, Find: find}
	return c
}

// merged returns the repository with the changes of plans, which only remove parts of files.
func (r chartRepo) merged(t *testing.T, c *engine.Context, plans []*engine.Plan) chartRepo {
	t.Helper()
	merged, err := engine.Merge(c, plans)
	if err != nil {
		t.Fatal(err)
	}
	for _, refused := range merged.Refused {
		t.Errorf("refused: %s", refused.Reason)
	}
	after := maps.Clone(r)
	for _, f := range merged.Files {
		for _, e := range f.Edits {
			if e.New != "" {
				t.Errorf("%s: %q is written", f.Path, e.New)
			}
		}
		if after[f.Path] = string(f.After); f.After == nil {
			delete(after, f.Path)
		}
	}
	return after
}

// chartWithAccounts returns a chart with an account for each extension, whose documents are between others in any order and in any
// blocks.
func (g chartGenerator) chartWithAccounts() chartRepo {
	const account, data = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: NAME\n  namespace: olm\n", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: data-%d\n"
	names := []string{"{{ .Values.account }}", "literal-installer"}
	extensions := "---\n" + extensionText("one", accountText(names[0])) + "---\n" + extensionText("two", accountText(names[1]))
	var documents []string
	for i, name := range names {
		documents = append(documents, strings.ReplaceAll(account, "NAME", name), bindingText(fmt.Sprintf("b-%d", i), "admin", name),
			fmt.Sprintf(data, i), fmt.Sprintf(data, i+2))
	}
	documents = append(documents, bindingText("several", "view", "web")+"- kind: ServiceAccount\n  name: "+g.pick(names...)+"\n  namespace: olm\n")
	g.Shuffle(len(documents), func(i, j int) { documents[i], documents[j] = documents[j], documents[i] })
	text := g.pick("", "# Copyright\n\n", "{{- $x := .Values.live }}\n", "---\n")
	for i := 0; i < len(documents); {
		n := min(1+g.Intn(3), len(documents)-i)
		part := strings.Join(documents[i:i+n], "---\n")
		switch g.Intn(5) {
		case 0:
			part = ifSet(".Values.live", part)
		case 1:
			part = ifSet(".Values.live", ifSet(".Values.live", part))
		case 2:
			part = "{{- if .Values.none }}\n{{- else }}\n" + part + "{{- end }}\n"
		case 3:
			part = "# about these\n" + part
		}
		if i > 0 {
			text += g.pick("---\n", "\n---\n\n", "--- # next\n")
		}
		text += part
		i += n
	}
	if g.Intn(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return opsChart("values.yaml", "account: some-installer\nlive: true\n", "templates/e.yaml", extensions, "templates/rbac.yaml", text)
}

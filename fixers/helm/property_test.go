package helm_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/salint/salint/test/long"
)

// TestRandomTemplates fixes random charts: a plan declares what they render with all sets of values, and with unknown values,
// synthetic users have what the accounts would have had.
func TestRandomTemplates(t *testing.T) {
	t.Parallel()
	planned := 0
	for seed := range int64(long.Runs(12, 60)) {
		g := chartGenerator{rand.New(rand.NewSource(seed))}
		repo := g.chart()
		c := repo.context(t, "", nil)
		work := repo.fixAll(t, c)
		planned += len(work.Plans())
		after := repo.checkDeclared(t, c, work.Plans())
		for _, o := range work.Outcomes {
			if o.Refusal != nil && !strings.Contains(o.Refusal.Reason, "no binding of") {
				t.Errorf("seed %d: %v", seed, o.Refusal)
			}
		}
		if len(work.Plans()) > 0 {
			repo.checkValues(t, after, g.values())
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s\n%s\n%s", seed, repo["ops/templates/e.yaml"], repo["ops/templates/_e.tpl"], after.generatedSince(repo))
		}
	}
	if planned < 6 {
		t.Errorf("only %d plans: the charts are not worth much", planned)
	}
}

// chartGenerator generates charts whose extensions and grants are written in different ways for the same values.
type chartGenerator struct{ *rand.Rand }

func (g chartGenerator) pick(all ...string) string { return all[g.Intn(len(all))] }

func (g chartGenerator) chart() chartRepo {
	files := []string{"values.yaml", g.values(), "ci/more-values.yaml", g.values()}
	element, root := ".", "$"
	if g.Intn(3) == 0 {
		element = "$e."
	}
	if g.Intn(3) == 0 { // one helper for each
		element, root = ".item.", ".root"
		body := g.extension(element, root) + "---\n" + g.binding(element, root)
		helper := "{{- define \"ext\" }}\n---\n" + body + "{{- end }}\n"
		return opsChart(append(files, "templates/_e.tpl", helper, "templates/e.yaml", "{{- range .Values.extensions }}\n"+
			g.guarded(".", "$", "{{- include \"ext\" (dict \"root\" $ \"item\" .) }}\n")+"{{- end }}\n")...)
	}
	loop := func(body string) string {
		if element == "$e." {
			return "{{- range $i, $e := .Values.extensions }}\n---\n" + body + "{{- end }}\n"
		}
		return ranged(body)
	}
	extension, binding := g.extension(element, root), g.guarded(element, root, g.binding(element, root))
	if g.Intn(2) == 0 {
		return opsChart(append(files, "templates/e.yaml", loop(g.guarded(element, root, extension+"---\n"+binding)))...)
	}
	return opsChart(append(files, "templates/e.yaml", loop(extension)+loop(binding))...)
}

// guarded puts a random condition around a text, or none. It does not depend on the conditions of other templates.
func (g chartGenerator) guarded(element, root, text string) string {
	switch g.Intn(4) {
	case 0:
		return ifSet(element+"live", text)
	case 1:
		return ifSet(root+".Values.rbac", text)
	case 2:
		return "{{- if not " + element + "live }}\n{{- else }}\n" + text + "{{- end }}\n"
	}
	return text
}

func (g chartGenerator) extension(element, root string) string {
	name := g.pick("{{ E:name }}", "pre-{{ E:name }}", "\"{{ R:.Release.Name }}-{{ E:name }}\"", "{{ E:name | quote }}")
	account := g.pick("{{- with E:account }}\n  serviceAccount:\n    name: {{ . }}\n  {{- end }}", "{{- if E:account }}\n  # who\n  serviceAccount: {name: {{ E:account }}}\n  {{- end }}",
		"serviceAccount:\n    name: {{ E:account | default \"nobody\" }} # who")
	return extensionText(of(name, element, root), of("  "+account+"\n", element, root))
}

func (g chartGenerator) binding(element, root string) string {
	role := g.pick("admin", "{{ E:role }}", "{{ R:.Release.Name }}-role", "{{ include \"ops.fullname\" R: }}-{{ E:role }}", "{{ R:.Values.role }}")
	return bindingText("b-{{ "+element+"name }}", of(role, element, root), "{{ "+element+"account | default \"nobody\" }}")
}

// of replaces the placeholders for the element and for the top of the values.
func of(text, element, root string) string {
	return strings.NewReplacer("E:", element, "R:", root).Replace(text)
}

// values returns values of extensions with separate accounts, some of them disabled.
func (g chartGenerator) values() string {
	text := fmt.Sprintf("rbac: %t\nrole: r%d\nextensions:\n", g.Intn(4) > 0, g.Intn(3))
	for i := range 1 + g.Intn(3) {
		text += fmt.Sprintf("- {name: e%d, account: acc%d, role: r%d, live: %t}\n", i, i, g.Intn(3), g.Intn(4) > 0)
	}
	return text
}

package uses_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/assemble/uses"
)

func TestTextManifests(t *testing.T) {
	t.Parallel()
	const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\n"
	for name, c := range map[string]struct {
		file, text string
		want       []string
	}{
		"a heredoc":                      {"a.sh", "kubectl apply -f - <<EOF\n" + pod + "EOF\necho done\n", []string{"3 shop/web"}},
		"two documents and a comment":    {"a.sh", "cat <<EOF | oc apply -f -\n" + pod + "---\n# second\n" + pod + "EOF\n", []string{"3 shop/web", "10 shop/web"}},
		"tabs, as in a Makefile":         {"Makefile", "apply:\n\tcat <<-EOF | kubectl apply -f -\n\tkind: Pod\n\tmetadata:\n\t  name: web\n\tEOF\n", []string{"3 /web"}},
		"a variable":                     {"a.sh", "<<EOF\nkind: Pod\nmetadata:\n  name: ${APP}-web\nEOF\n", []string{"2 /${APP}-web"}},
		"flow with a variable":           {"a.sh", "<<EOF\nkind: Pod\nmetadata: {name: ${APP}-web, namespace: ${NS}}\nEOF\n", []string{"2 ${NS}/${APP}-web"}},
		"a template":                     {"a.tf", "x = <<-EOT\n    kind: Pod\n    metadata:\n      name: ${var.name}\n    %{ if x }\n    EOT\n", []string{"2 /${var.name}"}},
		"JSON on one line":               {"a.sh", `echo '{"kind": "Pod", "metadata": {"name": "web"}}' | kubectl apply -f -` + "\n", []string{"1 /web"}},
		"JSON on several lines":          {"a.sh", "<<EOF\n{\n  \"kind\": \"Pod\",\n  \"metadata\": {\n    \"name\": \"web\"\n  }\n}\nEOF\n", []string{"3 /web"}},
		"an item of a list":              {"a.sh", "<<EOF\nkind: List\nitems:\n- kind: Pod\n  metadata: {name: a}\n- kind: Pod\n  metadata: {name: b}\nEOF\n", []string{"4 /a", "6 /b"}},
		"a reference is not a manifest":  {"a.sh", "kubectl get Pod\n# the kind: Pod is\n", nil},
		"a word of a longer kind":        {"a.sh", "kind: PodMonitor\n", nil},
		"a block scalar of YAML":         {"a.yaml", "data:\n  x: |\n" + indented("    ", pod) + "other: 1\n", []string{"4 shop/web"}},
		"a heredoc in a workflow":        {"a.yaml", "steps:\n- run: |\n    oc apply -f - <<EOF\n" + indented("    ", pod) + "    EOF\n", []string{"5 shop/web"}},
		"an object of the file is none":  {"a.yaml", pod + "---\nx: |\n  text\nkind: Pod\n", nil},
		"an object after a block scalar": {"a.yaml", "items:\n- |\n  text\n- kind: Pod\n", nil},
	} {
		var got []string
		for _, m := range uses.TextManifests(c.file, []byte(c.text), "Pod") {
			got = append(got, fmt.Sprintf("%d %s/%s", m.Line, m.Namespace, m.Name))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func indented(by, text string) string {
	return by + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+by) + "\n"
}

func TestAccountsInText(t *testing.T) {
	t.Parallel()
	const text = "kubectl create serviceaccount -n shop web --dry-run=client\noc create sa \"$APP-installer\"\nkubectl create sa a --namespace=b\n" +
		"kubectl apply -f - <<EOF\nkind: ServiceAccount\nmetadata: {name: made}\nEOF\n"
	var got []string
	for _, m := range uses.AccountsInText("a.sh", []byte(text)) {
		got = append(got, fmt.Sprintf("%d %s/%s", m.Line, m.Namespace, m.Name))
	}
	want := []string{"5 /made", "1 shop/web", "2 /${APP}-installer", "3 b/a"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTextManifestsAreLinear reads a text of manifests without an end.
func TestTextManifestsAreLinear(t *testing.T) {
	t.Parallel()
	start := time.Now()
	if found := uses.TextManifests("a.sh", []byte(strings.Repeat("kind: Pod\n", 10_000)), "Pod"); len(found) != 500 {
		t.Errorf("%d manifests", len(found))
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %s", took)
	}
}

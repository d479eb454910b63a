package fixers_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/salint/salint/fixers"
	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/proof/verify/verifytest"
)

// TestGrowth works out the fixes of all extensions in one file. Four times as many extensions must take about four times as
// much memory; a copy of the file for each of them would take sixteen times as much.
func TestGrowth(t *testing.T) {
	for name, file := range map[string]func(n int) string{"documents": documents, "list on one line": oneLine} {
		few, many := taken(t, file(500), 500), taken(t, file(2000), 2000)
		if ratio := float64(many) / float64(few); ratio > 6 {
			t.Errorf("%s: 500 extensions take %d bytes, 2000 take %d: %.1f times as much", name, few, many, ratio)
		}
	}
}

func documents(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata:\n  name: e%d\n"+
			"spec:\n  namespace: argocd\n  serviceAccount:\n    name: installer\n", i)
	}
	return b.String()
}

func oneLine(n int) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(`{"apiVersion":"olm.operatorframework.io/v1","kind":"ClusterExtension","metadata":{"name":"e%d"},`+
			`"spec":{"namespace":"argocd","serviceAccount":{"name":"installer"}}}`, i)
	}
	return `{"apiVersion":"v1","kind":"List","items":[` + strings.Join(items, ",") + "]}\n"
}

// taken returns how much memory the fixes of the n extensions of a file take.
func taken(t *testing.T, file string, n int) uint64 {
	t.Helper()
	c := verifytest.Repo{"all.yaml": file}.Context(t, verifytest.Options{Target: "ignored"})
	var requests []engine.Request
	for _, o := range c.Repo.Units[0].Objects {
		requests = append(requests, engine.Request{Fixer: "remove-service-account", Object: o})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work, err := fixers.All(c, requests)
	runtime.ReadMemStats(&after)
	if err != nil || len(work.Plans()) != n {
		t.Fatalf("%d plans for %d extensions: %v", len(work.Plans()), n, err)
	}
	return after.TotalAlloc - before.TotalAlloc
}

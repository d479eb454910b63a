package values

import (
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// TestValuesOfGoroutines asks for the same values from several goroutines: each of them must learn from which object, and from which
// rule, its value was created. Otherwise a question about an object has no answer for one of two rules that ask at the same time.
func TestValuesOfGoroutines(t *testing.T) {
	t.Parallel()
	for round := range 400 {
		doc := manifest.Scan("a.yaml", []byte("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a"+strconv.Itoa(round)+"}\n")).Docs[0]
		if err := doc.Parse(); err != nil {
			t.Fatal(err)
		}
		object := objects.Objects(doc)[0]
		rule := rbacv1.PolicyRule{Verbs: []string{"get"}, Resources: []string{"pods"}}
		var cache Cache
		var all sync.WaitGroup
		start := make(chan bool)
		for range 4 * runtime.GOMAXPROCS(0) {
			all.Go(func() {
				<-start
				if cache.ObjectOf(cache.Of(object)) != object {
					t.Errorf("round %d: the object of a value is not known", round)
				}
				if _, known := cache.ruleOf(cache.ofRule(rule).Value.(ast.Object)); !known {
					t.Errorf("round %d: the rule of a value is not known", round)
				}
			})
		}
		close(start)
		all.Wait()
	}
}

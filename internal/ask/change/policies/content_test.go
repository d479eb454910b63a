package policies

import (
	"reflect"
	"testing"

	"github.com/salint/salint/internal/kube/objects/objectstest"
)

// TestContent checks which changes of the text of a policy are none of what it decides. What a pattern requires is compared as it is.
func TestContent(t *testing.T) {
	t.Parallel()
	of := func(version, kinds, pattern, more string) any {
		return Content(objectstest.In(t, "a.yaml", "apiVersion: kyverno.io/"+version+"\nkind: ClusterPolicy\nmetadata: {name: a}\nspec:\n  rules:\n  - name: r\n"+
			"    match: {any: [{resources: {kinds: "+kinds+"}}]}\n    validate: {pattern: {spec: "+pattern+"}}\n"+more)[0])
	}
	const kinds, pattern = "[Pod, Job]", "{failurePolicy: Fail, names: [a, b]}"
	base := of("v1", kinds, pattern, "")
	for _, c := range []struct {
		version, kinds, pattern, more string
		same                          bool
	}{
		{"v1", kinds, pattern, "  background: true\n  failurePolicy: Fail\n", true},
		{"v2beta1", "[Job, Pod]", pattern, "", true},
		{"v1", "[Pod]", pattern, "", false},
		{"v1", kinds, "{names: [a, b]}", "", false},
		{"v1", kinds, "{failurePolicy: Fail, names: [b, a]}", "", false},
		{"v1", kinds, pattern, "  failurePolicy: Ignore\n", false},
	} {
		if got := of(c.version, c.kinds, c.pattern, c.more); reflect.DeepEqual(base, got) != c.same {
			t.Errorf("%+v: the same is not %t", c, c.same)
		}
	}
}

package bundlediff

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/rendered"
)

// morePods returns what pods of version a can do, and no pod of version b: act as an account that the content does not create, so that nothing
// is known of its permissions, and act on their node.
func morePods(a, b *version) []Change {
	known := map[string]bool{}
	for i := range b.objects {
		for _, what := range b.podPowers(&b.objects[i]) {
			known[what] = true
		}
	}
	var changes []Change
	for i := range a.objects {
		o := &a.objects[i]
		powers := slices.DeleteFunc(a.podPowers(o), func(what string) bool { return known[what] })
		if len(powers) == 0 {
			continue
		}
		c := Change{Part: Pods, Kind: kindOf(*o), Name: o.Name(), Powers: powers, rank: danger.NotDangerous}
		if !slices.Equal(powers, []string{runsAs("default")}) { // which holds nothing by itself
			c.Dangers, c.rank = []string{"act on their node, or as an account of which nothing is known"}, danger.CreatesPods.Rank
		}
		changes = append(changes, c)
	}
	return changes
}

// podPowers returns what the pods of an object can do, as text.
func (v *version) podPowers(o *rendered.Object) []string {
	pod := o.PodSpec()
	if pod == nil {
		return nil
	}
	var powers []string
	add := func(format string, args ...any) { powers = append(powers, fmt.Sprintf(format, args...)) }
	if account := rendered.Account(pod); !rendered.Creates(v.objects, o.Namespace(), account) {
		add("%s", runsAs(account))
	}
	for _, field := range []string{"hostPID", "hostNetwork", "hostIPC"} {
		if pod[field] == true {
			add("%s", field)
		}
	}
	for _, volume := range mappings(pod["volumes"]) {
		if host, ok := volume["hostPath"].(map[string]any); ok {
			add("mount %v of their node", host["path"])
		}
	}
	for _, field := range []string{"initContainers", "containers"} {
		for _, container := range mappings(pod[field]) {
			context, _ := container["securityContext"].(map[string]any)
			if context["privileged"] == true {
				add("privileged containers")
			}
			capabilities, _ := context["capabilities"].(map[string]any)
			added, _ := capabilities["add"].([]any)
			for _, capability := range added {
				add("the capability %v", capability)
			}
		}
	}
	slices.Sort(powers)
	return slices.Compact(powers)
}

func runsAs(account string) string {
	return "run as account " + account + ", which the content does not create: what it can do is not compared"
}

// mappings returns the mappings in a list.
func mappings(list any) []map[string]any {
	all, _ := list.([]any)
	var found []map[string]any
	for _, one := range all {
		if m, ok := one.(map[string]any); ok {
			found = append(found, m)
		}
	}
	return found
}

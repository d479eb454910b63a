package applied

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Counts says how much was compared.
type Counts struct {
	Applications, Objects int
	// Unread is applications that Flux or Argo CD applies and of which salint reports that something is not known.
	Unread int
	// Failed is applications that the controllers cannot build, and neither can salint.
	Failed int
	// Reasons are those of unread and failed applications.
	Reasons []string
}

// Add adds the counts of another repository.
func (c *Counts) Add(other Counts) {
	c.Applications += other.Applications
	c.Objects += other.Objects
	c.Unread += other.Unread
	c.Failed += other.Failed
	c.Reasons = append(c.Reasons, other.Reasons...)
}

// String returns the counts as a sentence.
func (c Counts) String() string {
	return fmt.Sprintf("%d applications with %d objects are the same; %d that salint reports as not known; %d that cannot be built",
		c.Applications, c.Objects, c.Unread, c.Failed)
}

// Compare returns how the applications of salint differ from those of the controllers.
func Compare(controllers, salint World) (differences []string, counts Counts) {
	for _, name := range controllers.Names() {
		found := application(name, controllers[name], salint[name], &counts)
		differences = append(differences, found...)
	}
	for _, name := range salint.Names() {
		_, ok := controllers[name]
		switch {
		case ok:
		case counts.Failed > 0 && (!strings.HasPrefix(name, "Application ") || joined(salint[name]).Err != nil): // what holds or makes it fails, which salint says
			counts.Failed++
		case joined(salint[name]).Err != nil: // what applies its object leaves it out, which salint says
			counts.Unread++
		default:
			differences = append(differences, fmt.Sprintf("%s: only salint knows it", name))
		}
	}
	return differences, counts
}

// errNoUnit is salint's result for an application without a unit. One that applies nothing needs none.
var errNoUnit = errors.New("no unit is applied by it")

// application compares the results of one application. The parts of one that has several sources are one result on one cluster. Of
// several clusters, each result must be one of salint's, and each of salint's that of a cluster.
func application(name string, want, got []Result, counts *Counts) []string {
	if len(want) == 1 && len(got) > 1 {
		got = []Result{joined(got)}
	}
	if len(got) == 0 {
		got = []Result{{Err: errNoUnit}}
	}
	var differences []string
	used := map[int]bool{}
	for _, w := range want {
		var first []string
		found := false
		for i, g := range got {
			d := result(w, g)
			if len(d) == 0 {
				used[i], found = true, true
				counts.count(w, g)
				break
			}
			if first == nil || !used[i] && len(d) < len(first) {
				first = d
			}
		}
		if !found {
			differences = append(differences, fmt.Sprintf("%s on %s: %s", name, w.Cluster, strings.Join(first, "\n")))
		}
	}
	if len(differences) > 0 {
		return differences
	}
	for i, g := range got {
		same := func(w Result) bool { return len(result(w, g)) == 0 }
		if !used[i] && !slices.ContainsFunc(want, same) {
			differences = append(differences, fmt.Sprintf("%s: unit %d of salint is that of no cluster", name, i+1))
		}
	}
	return differences
}

func joined(results []Result) Result {
	var all Result
	for _, r := range results {
		all.Objects = append(all.Objects, r.Objects...)
		all.Err = cmp.Or(all.Err, r.Err)
	}
	all.Objects = Last(all.Objects)
	return all
}

func (c *Counts) count(want, got Result) {
	switch {
	case got.Err == errNoUnit && want.Err == nil: // without objects
	case want.Err != nil:
		c.Failed++
		c.Reasons = append(c.Reasons, fmt.Sprintf("failed: %v; salint: %v", want.Err, got.Err))
	case got.Err != nil:
		c.Unread++
		c.Reasons = append(c.Reasons, fmt.Sprintf("unread: %v", got.Err))
	default:
		c.Applications++
		c.Objects += len(want.Objects)
	}
}

// result returns how one result differs. What salint says it cannot read is no difference.
func result(want, got Result) []string {
	switch {
	case got.Err == errNoUnit && want.Err == nil && len(want.Objects) > 0:
		return []string{"salint has no unit for it"}
	case got.Err != nil:
		return nil
	case want.Err != nil:
		return []string{fmt.Sprintf("salint builds what the controller refuses: %v", want.Err)}
	}
	return objects(want.Objects, got.Objects)
}

// objects returns how the objects of one application differ.
func objects(want, got []*unstructured.Unstructured) []string {
	salint := map[string]*unstructured.Unstructured{}
	for _, o := range got {
		salint[Key(o)] = o
	}
	var differences []string
	for _, o := range want {
		key := Key(o)
		other, ok := salint[key]
		delete(salint, key)
		if !ok {
			differences = append(differences, key+": only the controller applies it")
			continue
		}
		if d := gocmp.Diff(content(o), content(other)); d != "" {
			differences = append(differences, fmt.Sprintf("%s (-controller +salint):\n%s", key, d))
		}
	}
	for key := range salint {
		differences = append(differences, key+": only salint builds it")
	}
	return differences
}

// content returns the object without what is empty, which applying does not change.
func content(o *unstructured.Unstructured) map[string]any {
	value, _ := compact(o.Object).(map[string]any)
	return value
}

// compact drops null and empty maps and lists, and makes all numbers of one type.
func compact(value any) any {
	switch value := value.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, v := range value {
			if v = compact(v); v != nil {
				m[k] = v
			}
		}
		if len(m) == 0 {
			return nil
		}
		return m
	case []any:
		var list []any
		for _, v := range value {
			list = append(list, compact(v))
		}
		if len(list) == 0 {
			return nil
		}
		return list
	case int64:
		return float64(value)
	case int:
		return float64(value)
	}
	return value
}

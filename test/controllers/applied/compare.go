package applied

import (
	"fmt"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Counts says how much was compared.
type Counts struct {
	Applications, Objects int
	// Unread is applications that Flux or Argo CD applies and that salint says it cannot read.
	Unread int
	// Failed is applications that the controllers cannot build, and neither can salint.
	Failed int
}

// Add adds the counts of another repository.
func (c *Counts) Add(other Counts) {
	c.Applications += other.Applications
	c.Objects += other.Objects
	c.Unread += other.Unread
	c.Failed += other.Failed
}

// String returns the counts as a sentence.
func (c Counts) String() string {
	return fmt.Sprintf("%d applications with %d objects are the same; %d that salint says it cannot read; %d that nobody can build",
		c.Applications, c.Objects, c.Unread, c.Failed)
}

// Compare returns how the applications of salint differ from those of the controllers.
func Compare(controllers, salint World) (differences []string, counts Counts) {
	for _, name := range controllers.Names() {
		want := controllers[name]
		got, ok := salint[name]
		switch {
		case want.Err != nil && (!ok || got.Err != nil):
			counts.Failed++
		case !ok:
			differences = append(differences, fmt.Sprintf("%s: salint does not know it", name))
		case want.Err != nil:
			differences = append(differences, fmt.Sprintf("%s: salint builds what the controller refuses: %v", name, want.Err))
		case got.Err != nil:
			counts.Unread++
		default:
			found := objects(name, want.Objects, got.Objects)
			differences = append(differences, found...)
			if len(found) == 0 {
				counts.Applications++
				counts.Objects += len(want.Objects)
			}
		}
	}
	for _, name := range salint.Names() {
		if _, ok := controllers[name]; !ok {
			differences = append(differences, fmt.Sprintf("%s: only salint knows it", name))
		}
	}
	return differences, counts
}

// objects returns how the objects of one application differ.
func objects(name string, want, got []*unstructured.Unstructured) []string {
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
			differences = append(differences, fmt.Sprintf("%s: %s: only the controller applies it", name, key))
			continue
		}
		if d := cmp.Diff(content(o), content(other)); d != "" {
			differences = append(differences, fmt.Sprintf("%s: %s (-controller +salint):\n%s", name, key, d))
		}
	}
	for key := range salint {
		differences = append(differences, fmt.Sprintf("%s: %s: only salint builds it", name, key))
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

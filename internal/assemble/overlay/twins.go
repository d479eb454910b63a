package overlay

import (
	"bytes"
	"maps"
	"strings"
	"sync"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render"
)

// minTwins is the number of twins for which one build instead of many is worth the comparison of their values with all files.
const minTwins = 3

// maxCompared limits the bytes in which values of twins are searched.
const maxCompared = 256 << 20

// placeholders are values that stand for those of the twins in the build that is made for all of them. They are of the same form.
var placeholders = map[string]string{"namePrefix": "qz4salint-prefix-qz-", "namespace": "qz5salint-namespace-qz"}

// twins are the results of units that differ in nothing but a prefix or a namespace: one build with placeholders for these values, in which
// the values of each unit are then filled in. Kustomize does nothing with a prefix and a namespace but to write them into objects, and
// to compare them with other values; no placeholder and no value is a part of any other text of the build, so all comparisons come out the
// same. A unit for which that is not known is built by itself.
type twins map[*objects.Unit]filler

// twinGroups are the groups of twins, their results, and the indexes of all units in them.
type twinGroups struct {
	of      [][]*objects.Unit
	results []twins
	members []int
}

// groups divides units into groups of twins, and the indexes of those that are in none. Fixes are verified with real builds: units are
// only taken for twins the first time.
func (b *builder) groups(units []*objects.Unit) (g twinGroups, single []int) {
	byKey := map[string][]*objects.Unit{}
	keys := make([]string, len(units))
	for i, u := range units {
		if keys[i] = b.twinKey(u); keys[i] != "" {
			byKey[keys[i]] = append(byKey[keys[i]], u)
		}
	}
	for i, key := range keys {
		group := byKey[key]
		switch {
		case len(group) < minTwins:
			single = append(single, i)
			continue
		case group[0] == units[i]:
			g.of = append(g.of, group)
		}
		g.members = append(g.members, i)
	}
	g.results = make([]twins, len(g.of))
	return g, single
}

// twinKey returns what twins have in common; "" for a unit that is built by itself.
func (b *builder) twinKey(u *objects.Unit) string {
	if b.Known != nil || b.Must != nil || b.Wanted == nil || b.ByKustomize || b.Edits[u] != nil || !b.needed(u) {
		return ""
	}
	twin, ok := u.AsTwin()
	if !ok || !b.isPlainFolder(u) {
		return ""
	}
	if b.Unrestricted != nil && b.Unrestricted(u) {
		return "unrestricted " + twin.Key
	}
	return "restricted " + twin.Key
}

// joined returns the results of all groups.
func (g twinGroups) joined() twins {
	all := twins{}
	for _, results := range g.results {
		maps.Copy(all, results)
	}
	return all
}

// isPlainFolder reports whether the folder of a unit is no symbolic link, and has one kustomization file.
func (b *builder) isPlainFolder(u *objects.Unit) bool {
	if _, err := b.files.ReadLink(u.Root); err == nil {
		return false
	}
	n := 0
	for _, name := range objects.KustomizationNames() {
		if _, err := b.files.ReadFile(u.Root + "/" + name); err == nil {
			n++
		}
	}
	return n == 1
}

// ofGroup builds twins at once, and returns the results of those whose values are no part of any file that was read.
func (b *builder) ofGroup(group []*objects.Unit) twins {
	first := group[0]
	root := first.Kustomizations[0].Path
	twin, _ := first.AsTwin()
	read := &recorded{Files: b.definitionsLeftOut(first), except: root, contents: map[string][]byte{}}
	objs, ok := b.withPlaceholders(first, read, twin)
	if !ok || read.contain(placeholderTexts()) || read.hideTexts() || read.size()*len(group) > maxCompared {
		return nil
	}
	found := twins{}
	for _, u := range group {
		own, _ := u.AsTwin()
		fill := filler{root: u.Root, builtIn: first.Root, objs: objs}
		var values []string
		for _, v := range own.Values {
			values = append(values, v.Text)
			fill.pairs = append(fill.pairs, placeholders[v.Field], v.Text)
		}
		if !read.contain(values) && !overlap(values) {
			found[u] = fill
		}
	}
	return found
}

// overlap reports whether one of the values is a part of another.
func overlap(values []string) bool {
	return len(values) == 2 && (strings.Contains(values[0], values[1]) || strings.Contains(values[1], strings.TrimSuffix(values[0], "-")))
}

func placeholderTexts() []string {
	return []string{placeholders["namePrefix"], placeholders["namespace"]}
}

// withPlaceholders builds a unit with placeholders for its values. It is false if it cannot be built, or not as a whole.
func (b *builder) withPlaceholders(u *objects.Unit, files render.Files, twin objects.Twin) (objs []rendered.Object, ok bool) {
	k := u.Kustomizations[0]
	data := bytes.Clone(k.Doc.File.Data)
	for i := len(twin.Values) - 1; i >= 0; i-- { // from the end, so that the places before stay the same
		v := twin.Values[i]
		data = append(data[:v.Span.Start:v.Span.Start], append([]byte(placeholders[v.Field]), data[v.Span.End:]...)...)
	}
	whole := true
	objs, err := render.Kustomize(b.ctx, render.WithEdits(files, map[string][]byte{k.Path: data}), u.Root, render.KustomizeOptions{
		Workers: b.Workers, NoLines: true, Unrestricted: b.Unrestricted != nil && b.Unrestricted(u),
		Remote: func(render.RemoteError) { whole = false }, LeftOut: func(render.LeftOut) { whole = false }, Note: func(string) { whole = false },
	})
	for _, o := range objs {
		whole = whole && o.Origin.File != k.Path && o.Origin.Made == nil
	}
	return objs, err == nil && whole
}

// recorded are files that keep what was read of them, but for one file.
type recorded struct {
	render.Files
	except string

	mu       sync.Mutex
	contents map[string][]byte
}

// ReadFile returns a file.
func (r *recorded) ReadFile(name string) ([]byte, error) {
	data, err := r.Files.ReadFile(name)
	if err == nil && name != r.except {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.contents[name] = data
	}
	return data, err
}

// ReadLink returns the target of a symlink.
func (r *recorded) ReadLink(name string) (string, error) {
	return r.Files.(interface{ ReadLink(string) (string, error) }).ReadLink(name)
}

func (r *recorded) size() (size int) {
	for _, data := range r.contents {
		size += len(data)
	}
	return size
}

// contain reports whether a file that was read, or its name, contains one of the texts, with or without a hyphen at its end.
func (r *recorded) contain(texts []string) bool {
	for name, data := range r.contents {
		for _, text := range texts {
			text = strings.TrimSuffix(text, "-")
			if strings.Contains(name, text) || bytes.Contains(data, []byte(text)) {
				return true
			}
		}
	}
	return false
}

// hideTexts reports whether a file that was read has escape sequences with which any text can be written so that no search finds it.
func (r *recorded) hideTexts() bool {
	for _, data := range r.contents {
		for _, escape := range []string{`\x`, `\u`, `\U`, "\\\n", "\\\r"} {
			if bytes.Contains(data, []byte(escape)) {
				return true
			}
		}
	}
	return false
}

// filler fills the values of a unit in for placeholders.
type filler struct {
	objs          []rendered.Object
	builtIn, root string
	pairs         []string // placeholders and values
}

// objects returns the objects of the unit.
func (f filler) objects() []rendered.Object {
	replacer := strings.NewReplacer(f.pairs...)
	filled := make([]rendered.Object, len(f.objs))
	for i, o := range f.objs {
		filled[i] = o
		filled[i].JSON = fill(replacer, o.JSON).(map[string]any)
		if o.Origin.Kustomization == f.builtIn {
			filled[i].Origin.Kustomization = f.root
		}
	}
	return filled
}

func fill(replacer *strings.Replacer, value any) any {
	switch value := value.(type) {
	case string:
		return replacer.Replace(value)
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = fill(replacer, item)
		}
		return items
	case map[string]any:
		fields := make(map[string]any, len(value))
		for key, field := range value {
			fields[replacer.Replace(key)] = fill(replacer, field)
		}
		return fields
	}
	return value
}

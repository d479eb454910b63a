package unread

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/objects"
)

// The kind of Flux that can copy other repositories into its own, and the API group of all its sources.
const (
	sourceGroup       = "source.toolkit.fluxcd.io"
	kindGitRepository = "GitRepository"
)

// otherIncludes returns the GitRepositories of Flux into which other repositories are copied than before, or the same ones of another address or folder:
// salint reads the folder without them.
//
// Source: https://fluxcd.io/flux/components/source/gitrepositories/#include.
func otherIncludes(before, after State) (list []Part) {
	then, now := gitRepositories(before.Repository), gitRepositories(after.Repository)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		for _, o := range now[name] {
			if !after.Selected(o.File) {
				continue
			}
			was := then.before(o)
			for _, include := range now.includesOf(o) {
				if !slices.Contains(was, include) {
					list = append(list, Part{
						Message: fmt.Sprintf("%s %s includes %s, which is not read", kindGitRepository, name, include.name),
						Place:   o.Position(nil), Places: 1, Before: true, After: true, New: true,
					})
				}
			}
		}
	}
	return list
}

// repositories are the GitRepositories of a state by namespace and name: clusters have some of the same name.
type repositories map[string][]*objects.Object

// include is an entry of spec.include: which repository it is, and all that decides what is copied.
type include struct{ name, from string }

// before returns what a GitRepository of the later state included: that of its file, or otherwise those of its name, as it can have moved.
func (r repositories) before(now *objects.Object) (list []include) {
	named := r[nameOf(now)]
	inFile := slices.DeleteFunc(slices.Clone(named), func(o *objects.Object) bool { return o.File != now.File })
	if len(inFile) > 0 {
		named = inFile
	}
	for _, o := range named {
		list = append(list, r.includesOf(o)...)
	}
	return list
}

// includesOf returns what a GitRepository includes, in its order, with the addresses of the repositories of that name.
func (r repositories) includesOf(o *objects.Object) (list []include) {
	for _, item := range jsonfield.List(jsonfield.At(o, "spec", "include")) {
		fields, _ := item.(map[string]any)
		repository, _ := fields["repository"].(map[string]any)
		name := jsonfield.Text(repository["name"])
		text, err := json.Marshal(item)
		if err != nil {
			continue
		}
		var addresses []string
		for _, included := range r[strings.TrimPrefix(o.Namespace+"/"+name, "/")] {
			addresses = append(addresses, jsonfield.Text(jsonfield.At(included, "spec", "url")))
		}
		slices.Sort(addresses)
		list = append(list, include{name, string(text) + strings.Join(slices.Compact(addresses), " ")})
	}
	return list
}

func nameOf(o *objects.Object) string { return strings.TrimPrefix(o.Namespace+"/"+o.Name, "/") }

func gitRepositories(r *loader.Repository) repositories {
	found := repositories{}
	seen := map[*objects.Object]bool{}
	for _, u := range r.Units {
		for _, o := range u.Objects {
			if o.Group == sourceGroup && o.Kind == kindGitRepository && !seen[o] {
				seen[o] = true
				found[nameOf(o)] = append(found[nameOf(o)], o)
			}
		}
	}
	return found
}

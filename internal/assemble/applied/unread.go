package applied

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/outline"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// UnreadPart returns which part of a unit is not in the repository or could not be read, so that uses and bindings of an
// account there are unknown; "" if all of the unit was read.
func (r *Repository) UnreadPart(u *objects.Unit) string {
	if why, known := r.unreadParts[u]; known {
		return why
	}
	if r.unreadParts == nil {
		r.unreadParts = map[*objects.Unit]string{}
	}
	r.unreadParts[u] = r.findUnreadPart(u)
	return r.unreadParts[u]
}

func (r *Repository) findUnreadPart(u *objects.Unit) string {
	if len(u.Remotes) > 0 {
		remote := u.Remotes[0]
		return fmt.Sprintf("%s fetches %s (%s)", u, remote.Value, remote.Position)
	}
	if len(u.Problems) > 0 {
		return fmt.Sprintf("not everything that %s applies was read (%s: %s)", u, u.Problems[0].Position, u.Problems[0].Message)
	}
	for _, k := range u.Kustomizations {
		for _, entry := range k.Resources {
			if why := r.invalidYAML(entry.Target); why != "" {
				return fmt.Sprintf("%s applies %s (%s), %s", u, entry.Target, entry.Position, why)
			}
		}
	}
	return ""
}

// invalidYAML returns why a listed file cannot be read as manifests; "" if it can, and for folders.
func (r *Repository) invalidYAML(target string) string {
	if !strings.Contains(target, ".") || strings.HasPrefix(target, "..") {
		return ""
	}
	r.indexed.Do(r.index)
	file := r.files[target]
	if file == nil {
		data, err := r.Read(target)
		if err != nil {
			return "" // a folder; a missing file is among the problems of the unit
		}
		file = manifest.Scan(target, data)
	}
	if _, template := file.Ytt(); template {
		return "which is a ytt template"
	}
	for _, doc := range file.Docs {
		if !doc.Parsed() && outline.Read(doc.Bytes(), func([][]byte, outline.Scalar) {}) {
			continue // it can be parsed, which takes much longer for a large definition
		}
		if err := doc.Parse(); err != nil {
			return "which is not valid YAML: " + err.Error()
		}
	}
	return ""
}

// NamesInFiles returns the names that can stand for an object in files: the one under which it is applied, the one in its
// manifest, and those to which a kustomization adds a prefix or suffix that results in its name.
func (r *Repository) NamesInFiles(o *objects.Object) []string {
	names := []string{o.Name}
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if s := o.Source(); s != nil && !rbac.Templated(s.Name) {
		add(s.Name)
	}
	for _, a := range r.allAffixes() {
		inner, ok := strings.CutPrefix(o.Name, a.prefix)
		if inner, both := strings.CutSuffix(inner, a.suffix); ok && both {
			add(inner)
		}
	}
	return names
}

// allAffixes returns the affixes of all units, each once.
func (r *Repository) allAffixes() []affix {
	if r.affixes == nil {
		r.affixes = []affix{}
		seen := map[affix]bool{}
		for _, unit := range r.Units {
			for _, a := range affixes(unit) {
				if !seen[a] {
					seen[a] = true
					r.affixes = append(r.affixes, a)
				}
			}
		}
	}
	return r.affixes
}

// affix is what kustomizations put before and after a name.
type affix struct{ prefix, suffix string }

// affixes returns what the kustomizations of a unit can put around names. The root comes first; the affixes of nested
// kustomizations are inside, and an object need not be in all of them.
func affixes(u *objects.Unit) []affix {
	prefixes, suffixes := []string{""}, []string{""}
	for _, t := range u.Transforms {
		switch t.Field {
		case "namePrefix":
			prefixes = append(prefixes, prefixes[len(prefixes)-1]+t.Value)
		case "nameSuffix":
			suffixes = append(suffixes, t.Value+suffixes[len(suffixes)-1])
		}
	}
	var all []affix
	for _, prefix := range prefixes {
		for _, suffix := range suffixes {
			if prefix+suffix != "" {
				all = append(all, affix{prefix, suffix})
			}
		}
	}
	return all
}

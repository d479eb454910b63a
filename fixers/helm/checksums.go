package helm

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// declareChecksums declares the annotations with checksums of the templates that render the extensions: charts write them so
// that pods restart when a template changes. Only their value changes, and only if it is a SHA-256 hash.
func declareChecksums(c *engine.Context, p *engine.Plan, g *reachedExtensions) {
	edited := map[*objects.Unit]map[string]bool{}
	for _, m := range g.members {
		if edited[m.unit] == nil {
			edited[m.unit] = map[string]bool{}
		}
		edited[m.unit][m.template.Name] = true
	}
	declareChecksumsOf(c, p, edited)
}

// declareChecksumsOf declares the annotations with checksums of some templates of units.
func declareChecksumsOf(c *engine.Context, p *engine.Plan, edited map[*objects.Unit]map[string]bool) {
	for _, unit := range c.Repo.Units {
		for _, o := range unit.Objects {
			if edited[unit] == nil || charts.Of(o) == nil {
				continue
			}
			for _, path := range checksumsOf(o, edited[unit]) {
				p.Applied = append(p.Applied, engine.AppliedChange{Unit: unit, Object: o, Op: engine.SetChecksum, Path: path})
				noteChecksum(p, o, path)
			}
		}
	}
}

// noteChecksum notes what a changed checksum does.
func noteChecksum(p *engine.Plan, o *objects.Object, path manifest.Path) {
	note := engine.NameOf(o).String() + " gets another value of " + path[len(path)-1] + ", a checksum of the changed template"
	if slices.Contains(path, "template") {
		note += ": its pods restart once"
	}
	if !slices.Contains(p.Notes, note) {
		p.Notes = append(p.Notes, note)
	}
}

var (
	// checksumAction is the documented form (helm.sh/docs/howto/charts_tips_and_tricks).
	checksumAction = lazyregexp.New(`^\{\{-?\s*include\s+\(\s*print\s+\$?\.Template\.BasePath\s+["` + "`" + `]([^"` + "`" + `]+)["` + "`" + `]\s*\)\s+[$.]\s*\|\s*sha256sum\s*(?:\|\s*(?:quote|squote)\s*)?-?\}\}$`)
	sha256Hash     = lazyregexp.New(`^[0-9a-f]{64}$`)
)

// checksumsOf returns the paths of the annotations of an object that are checksums of some templates.
func checksumsOf(o *objects.Object, edited map[string]bool) []manifest.Path {
	candidates := annotationsBelow(o.Node, nil)
	if len(candidates) == 0 {
		return nil
	}
	t, err := charts.Of(o).Template()
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(candidates, func(at manifest.Path) bool {
		if !sha256Hash().MatchString(o.Node.Lookup(at).String()) {
			return true
		}
		line := regexp.MustCompile(`(?m)^[ \t]*["']?` + regexp.QuoteMeta(at[len(at)-1]) + `["']?:[ \t]*(.*?)[ \t]*\r?$`)
		written := line.FindAllStringSubmatch(t.Source, -1)
		return len(written) == 0 || slices.ContainsFunc(written, func(found []string) bool {
			call := checksumAction().FindStringSubmatch(strings.Trim(found[1], `"'`))
			return call == nil || !edited[path.Join(chartOf(t.Name), "templates", call[1])]
		})
	})
}

// annotationsBelow returns the paths of all annotations in a node: of the object, and of the pods that it makes.
func annotationsBelow(n *manifest.Node, at manifest.Path) []manifest.Path {
	if !n.IsMapping() {
		return nil
	}
	var found []manifest.Path
	for _, field := range n.Fields() {
		key := field.Key.String()
		switch {
		case key == "annotations" && len(at) > 0 && at[len(at)-1] == "metadata" && field.Value.IsMapping():
			for _, annotation := range field.Value.Fields() {
				found = append(found, at.Join(key, annotation.Key.String()))
			}
		case key == "metadata" || key == "spec" || key == "template" || key == "jobTemplate":
			found = append(found, annotationsBelow(field.Value, at.Join(key))...)
		}
	}
	return found
}

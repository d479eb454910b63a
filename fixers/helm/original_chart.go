package helm

import (
	"bytes"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/kube/objects"
)

// editOriginalChart repeats a change of a dependency in charts/ in the chart of the repository that it is a copy of:
// otherwise `helm dependency update` restores what was removed. A note reports if that is impossible.
func editOriginalChart(c *engine.Context, p *engine.Plan, change engine.TextChange) error {
	source := charts.SourceOf(change.File, c.Repo.Read)
	if source == "" {
		return nil
	}
	copied, err := c.Repo.Read(change.File)
	if err != nil {
		return err
	}
	original, err := c.Repo.Read(source)
	if err != nil {
		return err
	}
	switch {
	case !bytes.Equal(copied, original):
		p.AddNote("%s is a copy of %s, which now differs from it: remove the field there too, or `helm dependency update` "+
			"restores it", change.File, source)
	case rendersByItself(c, source):
		p.AddNote("%s is a copy of %s, which is also rendered separately: remove the field there too, or `helm dependency "+
			"update` restores it", change.File, source)
	default:
		change.File = source
		p.Texts = append(p.Texts, change)
	}
	return nil
}

// rendersByItself reports whether a unit reads a file and applies something. A change of the file then needs a fix of that
// unit too. A library chart applies nothing.
func rendersByItself(c *engine.Context, file string) bool {
	for _, u := range c.Repo.Units {
		if u.Kind != objects.PlainUnit && (u.NotBuilt || len(u.Objects) > 0) && u.Reads(file) {
			return true
		}
	}
	return false
}

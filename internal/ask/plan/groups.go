package plan

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/olm"
)

// maxEach is up to how many extensions each is shown for itself.
const maxEach = 20

// alikeTitle is said of extensions that are not shown for themselves.
const alikeTitle = "The same, but for names and files, is true of"

// group is an extension that is shown, and others of which the same is to be said.
type group struct {
	Extension
	alike []*Extension
}

// title calls a group.
func (g group) title() string {
	if len(g.alike) == 0 {
		return g.Label
	}
	return fmt.Sprintf("%s and %d more", g.Label, len(g.alike))
}

// groups are the extensions. Where there are many, those of which the same rules say the same on all targets are shown once.
func (p *Plan) groups(columns []column) []group {
	var all []group
	of := map[string]int{}
	for i := range p.Extensions {
		e := &p.Extensions[i]
		shape := e.shape(columns)
		if n, ok := of[shape]; ok && len(p.Extensions) > maxEach {
			all[n].alike = append(all[n].alike, e)
			continue
		}
		of[shape] = len(all)
		all = append(all, group{Extension: *e})
	}
	return all
}

// shape is what extensions have in common of which the same is to be said. Where a fix was refused, or others apply the file, each
// has to be told its own.
func (e *Extension) shape(columns []column) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\x00%t\x00", e.Account.State, e.Account.Name == olm.Placeholder)
	for _, column := range columns {
		c := e.Cells[column.first]
		fmt.Fprintf(&b, "%s\x00%s\x00%s\x00%s\x00", c.Status, c.Rule, e.unnamed(c.Refused), e.unnamed(c.Shared))
	}
	return b.String()
}

// unnamed takes what differs from extension to extension out of a text.
func (e *Extension) unnamed(text string) string {
	var pairs []string
	for _, name := range []string{e.File, e.Unit, e.root, e.Account.Name, e.Name, e.Namespace} {
		if name != "" {
			pairs = append(pairs, name, "\x01")
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/olm"
)

// maxEach is the maximum number of extensions that are all shown separately.
const maxEach = 20

// alikeTitle precedes the extensions that are not shown separately.
const alikeTitle = "The same, except for names and files, applies to"

// group is an extension that is shown, with others that differ from it only by names.
type group struct {
	Extension
	alike []*Extension
}

// title returns the title of a group.
func (g group) title() string {
	if len(g.alike) == 0 {
		return g.Label
	}
	if !slices.ContainsFunc(g.alike, func(e *Extension) bool { return e.shortLabel != g.shortLabel }) {
		return fmt.Sprintf("%s (%d places)", g.shortLabel, 1+len(g.alike))
	}
	return fmt.Sprintf("%s and %d more", g.Label, len(g.alike))
}

// briefGroups returns the extensions for the table alone. Extensions of one name with the same statuses are one row, and if there are
// still many rows, those with the same statuses.
func (p *Plan) briefGroups(columns []column) []group {
	byName := p.rows(columns, func(e *Extension) string { return e.shortLabel })
	if len(byName) <= maxEach {
		return byName
	}
	return p.rows(columns, func(*Extension) string { return "" })
}

// rows returns one group for all extensions with the same key and the same statuses.
func (p *Plan) rows(columns []column, key func(*Extension) string) []group {
	var rows []group
	of := map[string]int{}
	for _, e := range all(p.Extensions) {
		same := key(e)
		for _, c := range columns {
			same += "\x00" + string(e.Cells[c.first].Status)
		}
		i, known := of[same]
		if !known {
			of[same] = len(rows)
			rows = append(rows, group{Extension: *e})
			continue
		}
		rows[i].alike = append(rows[i].alike, e)
	}
	return rows
}

// groups returns the extensions. If there are many, those with the same results on all targets are one group.
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

// shape is equal for extensions with the same results. Reasons of refusal and notes about other units that apply the file
// are part of it, because they must be shown for each.
func (e *Extension) shape(columns []column) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\x00%t\x00", e.Account.State, e.Account.Name == olm.Placeholder)
	for _, column := range columns {
		c := e.Cells[column.first]
		fmt.Fprintf(&b, "%s\x00%s\x00%s\x00%s\x00", c.Status, c.Rule, e.unnamed(c.Refused), e.unnamed(c.Shared))
	}
	return b.String()
}

// unnamed replaces what differs from extension to extension in a text.
func (e *Extension) unnamed(text string) string {
	var pairs []string
	for _, name := range []string{e.File, e.Unit, e.root, e.Account.Name, e.Name, e.Namespace} {
		if name != "" {
			pairs = append(pairs, name, "\x01")
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

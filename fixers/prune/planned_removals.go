package prune

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/manifest"
)

// plannedRemoval is a change of a plan that removes a field, in a file that may name an account.
type plannedRemoval struct {
	engine.Change
	plan *engine.Plan
}

// plannedTextRemoval is a change of a plan that removes a part of a template.
type plannedTextRemoval struct {
	engine.TextChange
	plan *engine.Plan
}

// recordRemovals records what a plan removes from files. Patches can name accounts too.
func (p *Pruner) recordRemovals(plan *engine.Plan) {
	for _, change := range plan.Changes {
		p.removalsByFile[change.File] = append(p.removalsByFile[change.File], plannedRemoval{change, plan})
	}
	for _, change := range plan.Applied {
		if change.Op == engine.RemoveValue {
			p.lostFields[change.Object] = append(p.lostFields[change.Object], change)
		}
	}
	for _, change := range plan.Texts {
		if change.New == "" {
			p.textRemovalsByFile[change.File] = append(p.textRemovalsByFile[change.File], plannedTextRemoval{change, plan})
		}
	}
}

// removerOf returns the plan that removes the place of a mention of a name, or nil.
func (p *Pruner) removerOf(name string, m uses.Place) *engine.Plan {
	for _, t := range p.removalsByFile[m.File] {
		if t.covers(name, m, p.c) {
			return t.plan
		}
	}
	for _, t := range p.textRemovalsByFile[m.File] {
		if t.covers(m.Line, p.c) {
			return t.plan
		}
	}
	return nil
}

// covers reports whether the change removes a whole line.
func (t plannedTextRemoval) covers(line int, c *engine.Context) bool {
	data, err := c.Repo.Read(t.File)
	if err != nil || t.Span.End > len(data) {
		return false
	}
	first := bytes.Count(data[:t.Span.Start], []byte("\n")) + 1
	start := bytes.LastIndexByte(data[:t.Span.Start], '\n') + 1
	if len(bytes.TrimSpace(data[start:t.Span.Start])) > 0 {
		first++
	}
	last := bytes.Count(data[:t.Span.End], []byte("\n"))
	rest, _, _ := bytes.Cut(data[t.Span.End:], []byte("\n"))
	if len(bytes.TrimSpace(rest)) == 0 {
		last++
	}
	return first <= line && line <= last
}

func (t plannedRemoval) covers(name string, m uses.Place, c *engine.Context) bool {
	if m.Ref == "" { // a text that is not an object, such as a kustomization or a JSON patch
		return t.coversLine(name, m.Line, c)
	}
	inside, ok := strings.CutPrefix(m.Ref, fmt.Sprintf("%s#%d/", t.File, t.Document))
	if !ok {
		return false
	}
	object, err := manifest.ParsePath(inside)
	at := object.Join(m.Path...)
	switch {
	case err != nil:
		return false
	case t.Op == engine.RemoveDocument:
		return true
	case t.Op == engine.SetText:
		return slices.Equal(t.Path, at) && !t.keepsName(name)
	}
	return t.Op == engine.RemoveValue && engine.IsWithin(t.Path, at)
}

// keepsName reports whether the text that is set contains a name.
func (t plannedRemoval) keepsName(name string) bool {
	text, _ := t.Value.(string)
	return strings.Contains(text, name)
}

// coversLine reports whether the change removes a name from a line.
func (t plannedRemoval) coversLine(name string, line int, c *engine.Context) bool {
	file, err := c.Repo.File(t.File)
	if err != nil || file == nil || t.Document >= len(file.Docs) || file.Docs[t.Document].Parse() != nil {
		return false
	}
	doc := file.Docs[t.Document]
	span := doc.Span
	switch {
	case t.Op == engine.RemoveValue, t.Op == engine.SetText && !t.keepsName(name):
		span = doc.Locate(t.Path)
	case t.Op != engine.RemoveDocument:
		return false
	}
	first, _ := file.Position(span.Start)
	last, _ := file.Position(max(span.End-1, span.Start))
	start := bytes.LastIndexByte(file.Data[:span.Start], '\n') + 1
	rest, _, _ := bytes.Cut(file.Data[span.End:], []byte("\n"))
	beside := string(file.Data[start:span.Start]) + " " + string(rest)
	return first <= line && line <= last && !strings.Contains(beside, name)
}

package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/assemble/coverage"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/kube/objects"
)

// reason is why a part of a state is unknown. Its key is the message without the revision of a remote source, and without the folders of
// files and the lines in them, which can move.
type reason struct {
	key, message string
	place        objects.Position
	// revision is that of a remote source, if the message has it in words, and settings identify what an application sets for it.
	revision, settings string
}

// reference is the part of the address of a remote base that names a revision.
var reference = lazyregexp.New(`[?&](?:ref|version)=[^ &"]*`)

// position is the line, or the line and column, behind the name of a file.
var position = lazyregexp.New(`(\.\w+):[0-9]+(?::[0-9]+)?`)

// keyOf returns the key of a message.
func keyOf(message string) string {
	words := strings.Fields(reference().ReplaceAllString(message, ""))
	for i, word := range words {
		if !strings.Contains(word, "://") {
			word = position().ReplaceAllString(word, "$1")
			words[i] = word[strings.LastIndexByte(strings.TrimRight(word, "/"), '/')+1:]
		}
	}
	return strings.TrimLeft(strings.Join(words, " "), "{")
}

// reasons lists what is unknown of the selected part of a state.
func (s Side) reasons() []reason {
	var all []reason
	for _, message := range s.NotRead {
		all = append(all, reason{key: message, message: message})
	}
	scene := access.Scene{Repository: s.Repository, Selected: s.Selected}
	for _, d := range scene.NotRead(s.Repository.About(s.Selected, access.IsBinding)) {
		all = append(all, reason{key: keyOf(d.Message), message: d.Message, place: d.Position})
	}
	if s.Repository.Applications == nil {
		return all
	}
	other := s.separate()
	for _, p := range loader.OfApplications(s.Repository.Applications) {
		if s.Selected(p.Position.File) && !other[p.Position] {
			all = append(all, reason{key: keyOf(p.Message), message: p.Message, place: p.Position})
		}
	}
	for _, a := range s.Repository.Applications.Result.Applications {
		if !s.Selected(a.Object.File) {
			continue
		}
		for _, program := range a.Programs {
			all = append(all, programOf(a, program))
		}
		for _, source := range a.Sources {
			if (source.Repository.Is == gitops.OtherRepository || source.OtherRevision) && source.Kind != gitops.Reference {
				all = append(all, remoteSource(a, source))
			}
		}
	}
	return all
}

// programOf returns that the objects of a file are unknown, because a program makes them.
func programOf(a *gitops.Application, p gitops.Program) reason {
	message := fmt.Sprintf("%s %s evaluates %s, and salint evaluates no Jsonnet", a.Object.Kind, strings.TrimPrefix(a.Namespace.Value+"/"+a.Name.Value, "/"), p.File)
	return reason{key: message, message: message, place: objects.Position{File: p.File, Line: 1, Column: 1}, settings: p.Digest}
}

// separate are the positions of sources of this repository at another revision, and of those with programs, which are separate reasons.
func (s Side) separate() map[objects.Position]bool {
	found := map[objects.Position]bool{}
	for _, a := range s.Repository.Applications.Result.Applications {
		for _, source := range a.Sources {
			if source.OtherRevision {
				found[source.Location.Position()] = true
			}
		}
		for _, program := range a.Programs {
			found[program.Location.Position()] = true
		}
	}
	return found
}

// remoteSource returns that an application applies something that is not in the repository, or not at the revision that was read.
func remoteSource(a *gitops.Application, s gitops.Source) reason {
	name := strings.TrimPrefix(a.Namespace.Value+"/"+a.Name.Value, "/")
	what := s.Repository.URL.Value
	if s.Path.Value != "" && s.Path.Value != "." {
		what = strings.TrimSpace(s.Path.Value + " of " + what)
		what = strings.TrimSuffix(what, " of")
	}
	why := "is not in the repository"
	if s.Repository.Is != gitops.OtherRepository {
		why = "is not what is checked out"
	}
	r := reason{key: fmt.Sprintf("%s applies %s, which %s", a.Object.Kind+" "+name, what, why), place: a.Object.Position(nil)}
	r.message, r.settings = r.key, settingsOf(a.Object)
	if s.Revision.Value != "" {
		r.revision = s.Revision.Value
		r.message += ", at " + r.revision
	}
	return r
}

// known are the places with a reason in the two states.
type known struct{ then, now []reason }

// notRead returns what is unknown of the two states, each reason once. A reason that both states have as often is not new.
func notRead(before, after Side) []NotRead {
	var order []string
	byKey := map[string]*known{}
	at := func(key string) *known {
		if byKey[key] == nil {
			byKey[key] = &known{}
			order = append(order, key)
		}
		return byKey[key]
	}
	for _, r := range after.reasons() {
		k := at(r.key)
		k.now = append(k.now, r)
	}
	for _, r := range before.reasons() {
		k := at(r.key)
		k.then = append(k.then, r)
	}
	list := make([]NotRead, len(order))
	for i, key := range order {
		list[i] = byKey[key].notRead()
	}
	list = append(list, otherSources(before, after)...)
	slices.SortStableFunc(list, func(a, b NotRead) int {
		if order := b.weight() - a.weight(); order != 0 {
			return order
		}
		return strings.Compare(a.Place.File, b.Place.File)
	})
	return list
}

func (k known) notRead() NotRead {
	n := NotRead{Before: len(k.then) > 0, After: len(k.now) > 0, New: len(k.now) > len(k.then)}
	shown := k.now
	if !n.After {
		shown = k.then
	}
	n.Places, n.Message, n.Place = len(shown), shown[0].message, shown[0].place
	isNew := func(r reason) bool {
		return !slices.ContainsFunc(k.then, func(old reason) bool { return old.message == r.message && old.place.File == r.place.File })
	}
	if i := slices.IndexFunc(k.now, isNew); i >= 0 {
		n.Message, n.Place = k.now[i].message, k.now[i].place
	}
	n.Changed = n.Before && n.After && !n.New && !slices.Equal(revisions(k.then), revisions(k.now))
	return n
}

// revisions returns the revisions in the messages of reasons, and what is set for them, sorted.
func revisions(list []reason) []string {
	var all []string
	for _, r := range list {
		all = append(all, r.settings+r.revision+strings.Join(reference().FindAllString(r.message, -1), " "))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// weight orders reasons: new ones come first, then other revisions of what was not read before either.
func (n NotRead) weight() int {
	switch {
	case n.New, len(n.Edited) > 0:
		return 2
	case n.Changed:
		return 1
	}
	return 0
}

// MarkEdited marks the reason why neither state shows what a unit makes of a changed file. What only one of them shows is marked as such
// already, and what is gone is no new power.
func (r *Report) MarkEdited(file string, gap coverage.Gap) {
	for i, n := range r.NotRead {
		if n.Place.File != gap.Cause.File || n.Place.Line != gap.Cause.Line {
			continue
		}
		if n.Before && n.After && !n.New {
			r.NotRead[i].Edited, r.NotRead[i].Changed = append(n.Edited, file), true
		}
		return
	}
	r.NotRead = append(r.NotRead, NotRead{
		Message: gap.Reason, Place: objects.Position{File: file, Line: 1, Column: 1}, Places: 1, Before: true, After: true, Changed: true, Edited: []string{file},
	})
}

// MarkUnparsable adds a changed file of which nothing shows what it holds, unless it is known that it was not read. Before is set if that was so at the
// revision, too.
func (r *Report) MarkUnparsable(gap coverage.Gap, before bool) {
	if slices.ContainsFunc(r.NotRead, func(n NotRead) bool { return n.Place.File == gap.Cause.File }) {
		return
	}
	n := NotRead{Message: gap.Reason, Place: gap.Cause, Places: 1, Before: before, After: true, New: !before}
	if before {
		n.Changed, n.Edited = true, []string{gap.Cause.File}
	}
	r.NotRead = append(r.NotRead, n)
}

package unread

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/ask/change/origin"
	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/assemble/coverage"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
)

// reason is why a part of a state is unknown. Its key is the message without the revision of a remote source, and without the folders of
// files and the lines in them, which can move.
type reason struct {
	key, message string
	place        objects.Position
	// of is what has the reason: a deployment unit, or a file.
	of string
	// revision is that of a remote source, and settings are what the repository sets for it.
	revision string
	settings []origin.Setting
	// isDetail is set for a part of what another reason is about: it counts only if it is new or changed.
	isDetail bool
	// follows is set for a unit that cannot be built because of what it fetches: another reason is about that, and about everything that is set for it. It
	// is also set for conditions in templates, which are compared (package states).
	follows bool
	// elsewhere is the application that takes what was not read from another repository, or nil.
	elsewhere *gitops.Application
}

// reference is the part of the address of a remote base that names a revision.
var reference = lazyregexp.New(`[?&](?:ref|version)=[^ &"]*`)

// position is the line, or the line and column, behind the name of a file.
var position = lazyregexp.New(`(\.\w+):[0-9]+(?::[0-9]+)?`)

// readAt matches the commit from which a base of a workspace was read instead of the revision that its address names.
var readAt = lazyregexp.New(` of the workspace at commit [0-9a-f]+,`)

// unresolved are the ends of the messages about a symbolic link out of the repository: only the working tree shows whether its target exists.
var unresolved = []string{"the symlink leaves the repository", "the symlink's target cannot be read"}

// keyOf returns the key of a message.
func keyOf(message string) string {
	if slices.ContainsFunc(unresolved, func(end string) bool { return strings.HasSuffix(message, end) }) {
		return unresolved[0]
	}
	message = readAt().ReplaceAllString(message, " of the workspace,")
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
func (s State) reasons() []reason {
	var all []reason
	for _, message := range s.NotRead {
		all = append(all, reason{key: message, message: message})
	}
	for _, m := range s.Submodules {
		all = append(all, reason{key: m.Message + " " + m.Address, message: m.Message, of: m.Dir, revision: m.Commit})
	}
	scene := access.Scene{Repository: s.Repository, Selected: s.Selected}
	units := s.Repository.About(s.Selected, access.IsBinding)
	remote := s.remotes(units)
	for _, d := range scene.NotRead(units) {
		if !slices.ContainsFunc(remote, func(r reason) bool { return r.place == d.Position && r.message == d.Message }) {
			all = append(all, reason{key: keyOf(d.Message), message: d.Message, place: d.Position, of: d.Position.File, follows: charts.IsCondition(d.Message) || s.fetches(units, d.Position)})
		}
	}
	all = append(all, remote...)
	if s.Repository.Applications == nil {
		return all
	}
	other := s.separate()
	for _, p := range s.Repository.Applications.Problems {
		if s.Selected(p.Position.File) && !other[p.Position] && !p.Elsewhere { // remoteSource names each of those
			all = append(all, reason{key: keyOf(p.Message), message: p.Message, place: p.Position, of: p.Position.File})
		}
	}
	defined := definitionsOf(s.Repository)
	for _, a := range s.Repository.Applications.Result.Applications {
		if !s.Selected(a.Object.File) {
			continue
		}
		for _, program := range a.Programs {
			all = append(all, programOf(a, program))
		}
		for _, source := range a.Sources {
			if (source.Repository.Is == sources.OtherRepository || source.OtherRevision) && source.Kind != sources.Reference {
				all = append(all, s.remoteSource(a, source, defined))
			}
		}
	}
	return all
}

// programOf returns that the objects of a file are unknown, because a program makes them.
func programOf(a *gitops.Application, p gitops.Program) reason {
	message := fmt.Sprintf("%s %s evaluates %s, and salint evaluates no Jsonnet", a.Object.Kind, strings.TrimPrefix(a.Namespace.Value+"/"+a.Name.Value, "/"), p.File)
	return reason{key: message, message: message, place: objects.Position{File: p.File, Line: 1, Column: 1}, of: p.File, settings: []origin.Setting{{Name: p.File, Text: p.Digest, Decides: true}}}
}

// separate are the positions of sources of this repository at another revision, and of those with programs, which are separate reasons.
func (s State) separate() map[objects.Position]bool {
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
func (s State) remoteSource(a *gitops.Application, from sources.Source, defined definitions) reason {
	name := strings.TrimPrefix(a.Namespace.Value+"/"+a.Name.Value, "/")
	definition := defined[from.Reference]
	address, _ := origin.Split(cmp.Or(definition.address(), from.Repository.URL.Value))
	what := address
	if from.Path.Value != "" && from.Path.Value != "." {
		what = strings.TrimSpace(from.Path.Value + " of " + what)
		what = strings.TrimSuffix(what, " of")
	}
	why := "is not in the repository"
	var elsewhere *gitops.Application
	if from.Repository.Is == sources.OtherRepository {
		elsewhere = a
	} else {
		why = "is not what is checked out"
	}
	r := reason{key: fmt.Sprintf("%s applies %s, which %s", a.Object.Kind+" "+name, what, why), place: a.Object.Position(nil), of: a.Object.File, elsewhere: elsewhere}
	spec, _ := a.Object.JSON()["spec"].(map[string]any)
	r.message, r.settings = r.key, append(origin.Application(spec), definition.settings()...)
	for _, values := range from.Helm.Values {
		if values.File != "" {
			r.settings = append(r.settings, origin.Values(path.Base(values.File), s.textOf(values.File))...)
		}
	}
	for _, text := range from.Helm.Elsewhere {
		r.settings = append(r.settings, origin.Values("values", []byte(text))...)
	}
	if r.revision = cmp.Or(from.Revision.Value, definition.revision()); r.revision != "" {
		r.message += ", at " + r.revision
	}
	if from.Kind == sources.Chart && from.Revision.Value == "" && definition.revision() == "" {
		r.revision = chartVersion(spec)
	}
	return r
}

// known are the places with a reason in the two states.
type known struct{ then, now []reason }

// Compare returns what is unknown of the two states, each reason once.
func Compare(before, after State) Parts {
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
	stays := after.has()
	var list, details []Part
	for _, key := range order {
		switch n := byKey[key].notRead(stays); {
		case !slices.ContainsFunc(slices.Concat(byKey[key].now, byKey[key].then), func(r reason) bool { return r.isDetail }):
			list = append(list, n)
		case n.Severity() != finding.Off:
			details = append(details, n)
		}
	}
	for _, n := range details {
		if !slices.ContainsFunc(list, func(whole Part) bool { return whole.New && whole.Place.File == n.Place.File }) {
			list = append(list, n)
		}
	}
	list = slices.Concat(list, otherSources(before, after), otherInputs(before, after), otherIncludes(before, after))
	all := Parts(list)
	all.Sort()
	return all
}

// has returns a function that reports whether the state has a unit or a file.
func (s State) has() func(of string) bool {
	there := map[string]bool{}
	for _, name := range s.Repository.Collection.Names {
		there[name] = true
	}
	for _, u := range s.Repository.Units {
		there[u.String()] = true
	}
	return func(of string) bool { return there[of] }
}

// pairs returns the reasons of the later state with the earlier ones that they were, and those that are new: a reason moves with the unit or file that
// has it, but not from one that the later state still has.
func (k known) pairs(stays func(of string) bool) (pairs [][2]reason, added []reason) {
	left := slices.Clone(k.then)
	take := func(is func(reason) bool) (reason, bool) {
		i := slices.IndexFunc(left, is)
		if i < 0 {
			return reason{}, false
		}
		r := left[i]
		left = slices.Delete(left, i, i+1)
		return r, true
	}
	var others []reason
	for _, r := range k.now {
		if old, is := take(func(old reason) bool { return old.of == r.of && old.place.File == r.place.File }); is {
			pairs = append(pairs, [2]reason{old, r})
		} else {
			others = append(others, r)
		}
	}
	for _, r := range others {
		if old, is := take(func(old reason) bool { return old.of == r.of || !stays(old.of) }); is {
			pairs = append(pairs, [2]reason{old, r})
		} else {
			added = append(added, r)
		}
	}
	return pairs, added
}

func (k known) notRead(stays func(of string) bool) Part {
	pairs, added := k.pairs(stays)
	n := Part{Before: len(k.then) > 0, After: len(k.now) > 0, New: len(added) > 0}
	shown := k.now
	if !n.After {
		shown = k.then
	}
	n.Places, n.Message, n.Place = placesOf(shown), shown[0].message, shown[0].place
	for _, r := range shown {
		if r.elsewhere != nil {
			n.elsewhere = append(n.elsewhere, r.elsewhere)
		}
	}
	if n.follows = !slices.ContainsFunc(shown, func(r reason) bool { return !r.follows }); n.follows {
		n.New = false
	}
	if n.New {
		n.Message, n.Place = added[0].message, added[0].place
		return n
	}
	for _, p := range pairs {
		n.compare(p[0], p[1])
	}
	return n
}

// placesOf counts the places of reasons.
func placesOf(list []reason) int {
	seen := map[objects.Position]bool{}
	for _, r := range list {
		seen[r.place] = true
	}
	return len(seen)
}

// compare adds what is different for one place with the reason.
func (n *Part) compare(then, now reason) {
	deciding, differ := origin.Compare(then.settings, now.settings)
	was, is := then.revision, now.revision
	if was == is && !differ {
		return
	}
	if n.Unread() { // one reason is enough
		return
	}
	n.Message, n.Place, n.Changed = now.message, now.place, true
	if was != is {
		n.From, n.To = revisionName(was), revisionName(is)
		n.Unreleased = origin.IsUnreleased(was, is)
	}
	if slices.Equal(deciding, []string{now.place.File}) { // a program
		n.Edited = deciding
		return
	}
	n.Deciding = deciding
}

func revisionName(revision string) string { return cmp.Or(revision, "the default one") }

// weight orders reasons: new ones come first, then other revisions of what was not read before either.
func (n Part) weight() int {
	switch {
	case n.Unread():
		return 2
	case n.Changed:
		return 1
	}
	return 0
}

// Parts are what is unknown.
type Parts []Part

// MarkEdited marks the reason why neither state shows what a unit makes of a changed file. What only one of them shows is marked as such
// already, and what is gone is no new power.
func (p *Parts) MarkEdited(file string, gap coverage.Gap) {
	for i, n := range *p {
		if n.Place.File != gap.Cause.File || n.Place.Line != gap.Cause.Line {
			continue
		}
		if n.Before && n.After && !n.New && !n.follows {
			(*p)[i].Edited, (*p)[i].Changed = append(n.Edited, file), true
		}
		return
	}
	*p = append(*p, Part{
		Message: gap.Reason, Place: objects.Position{File: file, Line: 1, Column: 1}, Places: 1, Before: true, After: true, Changed: true, Edited: []string{file},
	})
}

// AddContent adds content of the later state that decides, cannot be read, and is new or changed, unless it is known that it is new.
func (p *Parts) AddContent(at objects.Position, message string) {
	i := slices.IndexFunc(*p, func(n Part) bool { return n.After && n.Place == at && (n.New || n.Places == 1) })
	switch {
	case i < 0:
		*p = append(*p, Part{Message: message, Place: at, Places: 1, After: true, New: true})
	case !(*p)[i].New:
		(*p)[i].Message, (*p)[i].New = message, true
	}
}

// Settle takes it that content which is not read, and is new, decides nothing.
func (p *Parts) Settle(at objects.Position) {
	for i, n := range *p {
		if n.Place == at {
			(*p)[i].New = false
		}
	}
}

// AddRevision adds what is not read in either state and is another release of the same source.
func (p *Parts) AddRevision(at objects.Position, message, was, is string) {
	*p = append(*p, Part{
		Message: message, Place: at, Places: 1, Before: true, After: true, Changed: true,
		From: revisionName(was), To: revisionName(is),
	})
}

// Sort sorts by weight: what is new comes first.
func (p Parts) Sort() {
	slices.SortStableFunc(p, func(a, b Part) int {
		return cmp.Or(b.weight()-a.weight(), strings.Compare(a.Place.File, b.Place.File))
	})
}

// MarkUnparsable adds a changed file of which nothing shows what it holds, unless it is known that it was not read. Before is set if that was so at the
// revision, too.
func (p *Parts) MarkUnparsable(gap coverage.Gap, before bool) {
	if slices.ContainsFunc(*p, func(n Part) bool { return n.Place.File == gap.Cause.File }) {
		return
	}
	n := Part{Message: gap.Reason, Place: gap.Cause, Places: 1, Before: before, After: true, New: !before}
	if before {
		n.Changed, n.Edited = true, []string{gap.Cause.File}
	}
	*p = append(*p, n)
}

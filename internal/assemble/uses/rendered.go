package uses

import (
	"slices"

	"github.com/salint/salint/internal/assemble/charts"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// line is a line of a file.
type line struct {
	file   string
	number int
}

// meaning is a reference to an account to which a line of a template is rendered.
type meaning struct {
	account objects.Account
	object  *objects.Object
	path    manifest.Path
	// certain is true if the name of the release is known. Otherwise the account can have any name, and by default has this one.
	certain   bool
	byDefault string
}

// fillIn adds to places in templates the accounts to which their lines are rendered in the repository. It returns the meanings
// of the lines.
func (i *Index) fillIn(found map[string][]Place) map[line][]meaning {
	asked := map[string]bool{}
	for _, places := range found {
		for _, place := range places {
			asked[place.File] = asked[place.File] || isUnclear(place)
		}
	}
	rendered := i.renderedLines(func(file string) bool { return asked[file] })
	for name, places := range found {
		if !slices.ContainsFunc(places, isUnclear) {
			continue
		}
		filled := slices.Clone(places)
		for n, place := range filled {
			if isUnclear(place) {
				filled[n].Accounts = accountsOf(rendered[line{place.File, place.Line}])
			}
		}
		found[name] = filled
	}
	return rendered
}

func accountsOf(meanings []meaning) []objects.Account {
	var accounts []objects.Account
	for _, meant := range meanings {
		accounts = append(accounts, meant.account)
	}
	return accounts
}

// meant returns the places that may name an account. A line of a template becomes one place for each of its renderings that may
// name the account, with the rendered object.
func (a *accountPlaces) meant(place Place, account objects.Account) []Place {
	if !place.CanName(account) {
		return nil
	}
	if place.Accounts == nil || place.Ref != "" {
		return []Place{place}
	}
	var places []Place
	for _, meant := range a.rendered[line{place.File, place.Line}] {
		one := place
		one.Accounts, one.Use = []objects.Account{meant.account}, Refers
		one.Kind, one.Ref, one.Path, one.Certainty = meant.object.Kind, meant.object.Ref(), meant.path, Certain
		if !meant.certain && meant.byDefault != account.Name {
			one.Certainty = Possible
		}
		if one.CanName(account) {
			places = append(places, one)
		}
	}
	if len(places) == 0 {
		return []Place{place}
	}
	return places
}

// isUnclear reports whether nothing but the line is known about a mention.
func isUnclear(place Place) bool {
	return place.Ref == "" && place.Accounts == nil && place.Path.String() != "metadata.name"
}

// renderedLines returns what the lines of templates are rendered to, for the files for which asked returns true.
func (i *Index) renderedLines(asked func(file string) bool) map[line][]meaning {
	found := map[line][]meaning{}
	reads := map[*charts.Rendered]bool{}
	for _, unit := range i.units {
		for _, o := range unit.Objects {
			made := charts.Of(o)
			if made == nil {
				continue
			}
			if _, known := reads[made.Rendered]; !known {
				reads[made.Rendered] = made.Rendered.Reads(asked)
			}
			if reads[made.Rendered] {
				addRendered(found, o, made.Rendered.Set)
			}
		}
	}
	return found
}

// addRendered adds the accounts that an object names. If the name of the release is unknown, the account can have any name.
func addRendered(found map[line][]meaning, o *objects.Object, set charts.Set) {
	for _, reference := range o.References() {
		meant := meaning{reference.Account, o, reference.Path, set.ReleaseName != "", reference.Account.Name}
		if !meant.certain {
			meant.account.Name = ""
		}
		for _, trace := range o.Applied.Trace(reference.Path) {
			if trace.What != objects.Template || !trace.Exact {
				continue
			}
			first, _ := trace.File.Position(trace.Span.Start)
			last, _ := trace.File.Position(max(trace.Span.Start, trace.Span.End-1))
			for number := first; number <= last; number++ {
				at := line{trace.File.Path, number}
				found[at] = append(found[at], meant)
			}
		}
	}
}

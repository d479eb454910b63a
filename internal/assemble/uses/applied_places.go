package uses

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/applied"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// meansOther reports whether units apply a place with other names than this one: a kustomization that changes the name of an account
// changes the references to it as well. A reference that it leaves unchanged may still be meant for the account, by mistake.
func (i *Index) meansOther(place Place, applied string) bool {
	if place.Ref == "" || len(place.Path) == 0 {
		return false
	}
	forms := 0
	for _, unit := range i.repo.UnitsOf(place.File) {
		o := unit.Object(place.Ref)
		if o == nil {
			continue
		}
		forms++
		source := o.Source()
		if source == nil || source.Node.Lookup(place.Path).String() == o.Node.Lookup(place.Path).String() || !IsRenamedAt(o, place.Path, applied) {
			return false
		}
	}
	return forms > 0
}

// isOfOtherNamespace reports whether a field refers to an account of another namespace in every form in which units apply it, by the type of
// its object.
func (i *Index) isOfOtherNamespace(place Place, account objects.Account) bool {
	forms, asWritten := place.FormsIn(i.repo)
	anyNamespace := asWritten && i.repo.IsTransformed(place.File)
	return len(forms) > 0 && !slices.ContainsFunc(forms, func(form *objects.Object) bool {
		meant := account
		if text := form.Node.Lookup(place.Path).String(); text != "" && !strings.Contains(text, ":") {
			meant.Name = text // as the unit applies it, which can be another name
		}
		return !isProvenOther(form, place.Path, meant, meant.Name, anyNamespace)
	})
}

// isOfOther reports whether a place is no use of the account that asks: it means an account of the same name that is applied with the
// place or lies nearer to it, or no unit applies the place.
func (i *Index) isOfOther(asks *objects.Object, place Place, name string, account objects.Account) bool {
	if asks == nil || accountIn(asks) != account.Name || asks.Kind != rbac.KindServiceAccount || !objects.SameNamespace(asks.Namespace, account.Namespace) {
		return false
	}
	return place.IsPatchedAway(i.repo.UnitsOf(place.File), name) || i.repo.MeansNamesake(asks, place.File)
}

// otherUnits returns the units that apply a place, if it is a field of an extension that the unit of an account removes, or a patch
// that has no effect there, and every other unit that uses the account by it applies the account as well: it is in use only there.
// Otherwise it returns nil.
func (i *Index) otherUnits(asks *objects.Object, place Place, name string, account objects.Account) []string {
	if asks == nil || asks.Kind != rbac.KindServiceAccount || place.Ref == "" && !place.IsInPatch() {
		return nil
	}
	own := i.repo.UnitThatHas(asks)
	switch {
	case own == nil, own.Kind == objects.PlainUnit:
		return nil
	case place.IsInPatch(), i.isPatchFile(place):
		return i.otherUnitsOfPatch(own, asks, place, account)
	case !place.IsPatchedAway([]*objects.Unit{own}, name):
		return nil
	}
	with := map[*objects.Unit]bool{}
	for _, form := range i.repo.AppliedForms(asks) {
		with[form.Unit] = true
	}
	var others []string
	for _, unit := range i.repo.UnitsOf(place.File) {
		switch form := unit.Object(place.Ref); {
		case unit.NotBuilt, form != nil && !with[unit] && form.Node.Lookup(place.Path) != nil:
			return nil
		case form != nil && form.Node.Lookup(place.Path) != nil:
			others = append(others, unit.String())
		}
	}
	return others
}

// isPatchFile reports whether a place is in an object that units read and none applies: a patch.
func (i *Index) isPatchFile(place Place) bool {
	reading := i.readersOf(place.File)
	return len(reading) > 0 && !slices.ContainsFunc(reading, func(u *objects.Unit) bool { return u.Object(place.Ref) != nil })
}

// readersOf returns the units whose result depends on a file, without the unit of plain files.
func (i *Index) readersOf(file string) []*objects.Unit {
	if readers, known := i.readers[file]; known {
		return readers
	}
	readers := slices.DeleteFunc(slices.Clone(i.repo.Units), func(u *objects.Unit) bool { return u.Kind == objects.PlainUnit || !u.Reads(file) })
	i.readers[file] = readers
	return readers
}

// otherUnitsOfPatch is otherUnits for a place in a patch, such as one of a component that several overlays use.
func (i *Index) otherUnitsOfPatch(own *objects.Unit, asks *objects.Object, place Place, account objects.Account) []string {
	reading := i.readersOf(place.File)
	if actsAs(own, account) || !slices.Contains(reading, own) {
		return nil
	}
	forms := i.repo.AppliedForms(asks)
	var others []string
	for _, unit := range reading {
		form := slices.IndexFunc(forms, func(f applied.Form) bool { return f.Unit == unit })
		switch {
		case unit.NotBuilt, form < 0:
			return nil
		case actsAs(unit, objects.Account{Namespace: forms[form].Object.Namespace, Name: forms[form].Object.Name}):
			others = append(others, unit.String())
		}
	}
	return others
}

// isRenamedIn reports whether all of the units apply the manifest of an account with another name or in another namespace.
func (i *Index) isRenamedIn(account *objects.Object, units []string) bool {
	return !slices.ContainsFunc(i.repo.AppliedForms(account), func(form applied.Form) bool {
		return form.Object.Name == account.Name && form.Object.Namespace == account.Namespace && slices.Contains(units, form.Unit.String())
	})
}

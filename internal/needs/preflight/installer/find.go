package installer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// pick returns the selected extension; nil if the repository has none of the name and the user specifies the installer. The note says
// why it is this one, if the repository has others and the user names none.
func pick(w *loader.Repository, choice Choice) (picked *loader.Extension, note string, err error) {
	all := slices.DeleteFunc(w.Extensions(), func(e loader.Extension) bool { return e.Name == "" || e.NameTemplated })
	meant := all
	if choice.Extension != "" {
		meant = slices.DeleteFunc(slices.Clone(all), func(e loader.Extension) bool { return e.Name != choice.Extension })
	}
	meant = amongPaths(meant, choice)
	names := namesOf(meant)
	switch {
	case len(meant) == 1:
		return &meant[0], whyPicked(meant[0], all, choice), nil
	case len(names) > 1:
		return nil, "", fmt.Errorf("the repository has several extensions. Pass one with --extension: %s", listed(names, ", "))
	case len(names) == 1:
		return nil, "", several(meant, choice)
	case choice.Extension == "":
		return nil, "", errors.New("the repository has no extension. Pass the one to install with --extension, its namespace " +
			"with --namespace, and its installer with --service-account")
	case choice.Identity != nil || choice.Account != "":
		return nil, "", nil
	}
	hint := ""
	if name := nearest.Name(choice.Extension, namesOf(all)); name != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", name)
	}
	return nil, "", fmt.Errorf("the extension %q is not in the repository%s. For a new one, pass --namespace and --service-account",
		choice.Extension, hint)
}

// whyPicked returns a note on an extension that only the paths determine, or "".
func whyPicked(e loader.Extension, all []loader.Extension, choice Choice) string {
	if choice.Extension != "" || len(namesOf(all)) == 1 {
		return ""
	}
	return safetext.Text(fmt.Sprintf("the extension is %s, because it is the only one in the given paths. Pass another one with --extension", e.Name))
}

// maxListed limits the names in an error.
const maxListed = 10

// listed joins the first names, and appends the number of the others.
func listed(names []string, separator string) string {
	if more := len(names) - maxListed; more > 0 {
		names = append(slices.Clone(names[:maxListed]), fmt.Sprintf("and %d more", more))
	}
	return safetext.Text(strings.Join(names, separator)) // a name can contain a line end
}

// amongPaths returns the extensions that the paths of the user select, or all if they select none. Of one extension in several units,
// those count whose unit is named: its application, its chart, or its kustomization.
func amongPaths(all []loader.Extension, choice Choice) []loader.Extension {
	if choice.Selected == nil {
		return all
	}
	var among []loader.Extension
	named := map[string]bool{}
	for _, e := range all {
		if choice.Selected(e.Object.File) || isNamed(e.Unit, choice) {
			among = append(among, e)
			named[e.Name] = named[e.Name] || isNamed(e.Unit, choice)
		}
	}
	among = slices.DeleteFunc(among, func(e loader.Extension) bool { return named[e.Name] && !isNamed(e.Unit, choice) })
	if len(among) == 0 {
		return all
	}
	return among
}

// isNamed reports whether the user selected what defines a unit.
func isNamed(u *objects.Unit, choice Choice) bool {
	if len(u.Appliers) > 0 {
		return slices.ContainsFunc(u.Appliers, func(by objects.Applier) bool { return by.Object != nil && choice.Selected(by.Object.File) })
	}
	return u.Kind == objects.ChartUnit && choice.Selected(u.Root) ||
		slices.ContainsFunc(u.Kustomizations, func(k *objects.Kustomization) bool { return choice.Selected(k.Path) })
}

// pathOf returns the path that selects a unit: the file of its application, or its folder.
func pathOf(u *objects.Unit, choice Choice) string {
	selects := u.Root
	if len(u.Appliers) > 0 && u.Appliers[0].Object != nil {
		selects = u.Appliers[0].Object.File
	}
	if choice.Rel == nil {
		return selects
	}
	return choice.Rel(selects)
}

func namesOf(all []loader.Extension) []string {
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// several returns the error for an extension that exists several times.
func several(all []loader.Extension, choice Choice) error {
	var places []string
	for _, e := range all {
		place := e.Object.Position(nil)
		text := fmt.Sprintf("%s:%d", place.File, place.Line)
		if e.Unit.Kind == objects.KustomizationUnit {
			text = e.Unit.Root + " applies " + text
		} else if e.Unit.Kind != objects.PlainUnit {
			text = fmt.Sprintf("%s (%s) applies %s", pathOf(e.Unit, choice), e.Unit, text)
		}
		places = append(places, text)
	}
	return fmt.Errorf("the extension %s exists several times. Pass the path of one: %s",
		all[0].Name, listed(places, "; "))
}

// withoutObject uses the unit that the user selected for an extension that is not in the repository.
func (i *Installer) withoutObject(w *loader.Repository, choice Choice) error {
	i.Resolved.Synthetic = olm.GateUnknown
	units := slices.DeleteFunc(slices.Clone(w.Units), func(u *objects.Unit) bool {
		return choice.Selected != nil && !slices.ContainsFunc(u.Objects, func(o *objects.Object) bool { return choice.Selected(o.File) })
	})
	switch {
	case len(units) > 1:
		var roots []string
		for _, u := range units {
			roots = append(roots, u.Root)
		}
		return fmt.Errorf("the repository has several deployment units. Pass the folder of the one that grants the permissions: %s",
			listed(roots, ", "))
	case len(units) == 1 && len(units[0].Objects) > 0:
		i.Unit, i.Resolved = units[0], w.Targets.Of(units[0], units[0].Objects[0])
	default:
		i.Unit = w.EmptyUnit()
	}
	if choice.Target != nil {
		i.Resolved.Target, i.Resolved.Asked, i.Resolved.Known = *choice.Target, true, true
	}
	if i.Resolved.Target.Name == "" {
		i.Resolved.Target = olm.UnknownTarget()
	}
	return nil
}

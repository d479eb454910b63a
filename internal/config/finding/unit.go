package finding

import (
	"fmt"
	"slices"
	"strings"
)

// Unit is a deployment unit: the kind is kustomization, chart, application, or plain. The name of a kustomization is its folder, and
// that of plain files the folder that they are in.
type Unit struct{ Kind, Name string }

// String returns the name of the unit in lists of units.
func (u Unit) String() string {
	switch {
	case u.Kind == "plain" && u.Name == ".":
		return "plain files at the top of the repository"
	case u.Kind == "plain":
		return "plain files in " + u.Name
	case u.Kind == "kustomization" && u.Name == ".":
		return "the kustomization at the top of the repository"
	case u.Kind == "chart":
		return "the chart " + u.Name
	case u.Kind == "application": // its name begins with its kind
		return "the " + u.Name
	}
	return u.Name
}

// UnitList names units in the given order, at most some of them.
func UnitList(units []Unit, most int) string {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.String()
	}
	return List(names, most)
}

// List joins names for a sentence: at most a number of them, and how many more there are.
func List(all []string, most int) string {
	names := slices.Clone(all[:min(most, len(all))])
	if more := len(all) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	switch len(names) {
	case 0, 1:
		return strings.Join(names, "")
	case 2:
		return names[0] + " and " + names[1]
	}
	return strings.Join(names[:len(names)-1], ", ") + ", and " + names[len(names)-1]
}

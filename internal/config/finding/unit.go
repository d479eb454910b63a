package finding

import (
	"fmt"
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
	var names []string
	for _, u := range units[:min(most, len(units))] {
		names = append(names, u.String())
	}
	if more := len(units) - most; more > 0 {
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

package pods

import (
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

const (
	PodAccountField = "serviceAccountName"
	AccountAlias    = "serviceAccount"
)

// RenameAccountAlias renames the deprecated field of a pod to serviceAccountName, or removes it if that field has the same
// value, wherever it is set. The identity of the pod does not change.
func RenameAccountAlias(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	pod, err := aliasedPod(c, r)
	if err != nil {
		return nil, err
	}
	p := &engine.Plan{Object: r.Object}
	if p.Description, err = aliasRenaming(pod.Node); err != nil {
		return nil, err
	}
	forms, err := aliasedForms(c, r.Object, pod.Path)
	if err != nil {
		return nil, err
	}
	for _, f := range forms {
		if f.contradicts() {
			return nil, engine.Refuse("in %s, serviceAccount is %q but serviceAccountName is %q: decide there first which "+
				"one is right",
				f.Unit, f.text(AccountAlias), f.text(PodAccountField))
		}
	}
	renames, err := replaceAlias(c, p, forms)
	if renames && !strings.HasPrefix(p.Description, "Move") {
		p.Description = "Rename serviceAccount to serviceAccountName"
	}
	return p, err
}

// aliasRenaming describes what becomes of the field. It refuses if the two names differ.
func aliasRenaming(pod *manifest.Node) (string, error) {
	name, alias := pod.Get(PodAccountField), pod.Get(AccountAlias)
	switch {
	case alias.String() == "":
		return "Remove serviceAccount, which is empty", nil
	case name.String() == alias.String():
		return "Remove serviceAccount, which has the same value as serviceAccountName", nil
	case name == nil:
		return "Rename serviceAccount to serviceAccountName", nil
	case name.String() == "":
		return "Move the name from serviceAccount to serviceAccountName", nil
	}
	return "", engine.Refuse("serviceAccount is %q but serviceAccountName is %q, and the right one is unknown: keep the "+
		"right one, as serviceAccountName", alias.String(), name.String())
}

// DropAccountAlias removes the deprecated field if it differs from serviceAccountName. The API server never used it. The fix
// is unsafe, because either name may be the intended one.
func DropAccountAlias(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	pod, err := aliasedPod(c, r)
	if err != nil {
		return nil, err
	}
	name := pod.Node.Get(PodAccountField).String()
	if name == "" {
		return nil, engine.Refuse("serviceAccountName is not set, so the pod runs as serviceAccount")
	}
	forms, err := aliasedForms(c, r.Object, pod.Path)
	if err != nil {
		return nil, err
	}
	p := &engine.Plan{Object: r.Object, Description: "Remove serviceAccount: the pod runs as " + name + ", which " +
		"serviceAccountName sets"}
	renames, err := replaceAlias(c, p, forms)
	if renames {
		p.Description = "Rename serviceAccount to serviceAccountName, which another place sets where the pod runs as " + name
	}
	return p, err
}

// aliasedPod finds the pod whose field serviceAccount a request points at.
func aliasedPod(c *engine.Context, r engine.Request) (objects.PodSpec, error) {
	pod, err := podOf(c, r, func(rest manifest.Path) bool { return slices.Equal(rest, manifest.Path{AccountAlias}) })
	if err != nil {
		return pod, err
	}
	if _, there := pod.Alias(); !there {
		return pod, engine.Refuse("the pod has no field serviceAccount")
	}
	return pod, nil
}

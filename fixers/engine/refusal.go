package engine

import (
	"errors"
	"fmt"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// AsRefusal returns an error as a refusal.
func AsRefusal(err error) *Refusal {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal
	}
	return &Refusal{Reason: err.Error()}
}

// reason returns the reason of a refusal for an error of the editor.
func reason(err error) string {
	var refused *manifest.RefusedError
	if errors.As(err, &refused) {
		return refused.Error() + ": change it by hand"
	}
	return err.Error()
}

// Refusal is the error of a fix that is not made.
type Refusal struct {
	// Reason describes what is not done, why, and what to do by hand.
	Reason string
	// Alike is the same text for refusals that differ only in places and names, so that they can be reported together; "" for
	// refusals that stand alone.
	Alike string
	// TargetUnknown is true if the fix depends on the target of a unit whose target is unknown.
	TargetUnknown bool
	// InFinding is true if the finding itself says why it stays, so that no note is needed.
	InFinding bool
}

// RefuseUnknownTarget refuses a fix whose result in a unit depends on the release, which is unknown there.
func RefuseUnknownTarget(u *objects.Unit) error {
	return &Refusal{
		Reason: fmt.Sprintf("%s applies it as well, and the OLM release there is unknown: set its target with `overrides:` in .salint.yaml", u),
		Alike:  "target unknown", TargetUnknown: true,
	}
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Reason }

// Refuse returns a *Refusal. Refusals with the same format are reported together.
func Refuse(format string, args ...any) error {
	return &Refusal{Reason: fmt.Sprintf(format, args...), Alike: format}
}

// CompareBuilds ends the advice to change by hand what units build.
const CompareBuilds = ", and compare the output of kustomize build before and after"

// RefuseTemplate refuses to edit an object of a template. It names the place in the template, and what to do there.
func RefuseTemplate(o *objects.Object, path manifest.Path, what string) error {
	return &Refusal{
		Reason: fmt.Sprintf("%s is rendered by the template at %s, which may render other objects: %s", NameOf(o), o.Position(path), what),
		Alike:  "template: " + what,
	}
}

// CheckInFile refuses to edit an object that a template renders.
func CheckInFile(o *objects.Object) error {
	if o.InFile() {
		return nil
	}
	return RefuseTemplate(o, nil, "change it there by hand")
}

// RefuseUnapplied refuses to edit an object that no unit applies.
func RefuseUnapplied(o *objects.Object, byHand string) error {
	return Refuse("no deployment unit applies %s as written, for example because it is a template of a chart: "+byHand, o.File)
}

// CheckApplied refuses to edit an object that no unit applies.
func (c *Context) CheckApplied(o *objects.Object, byHand string) error {
	if len(c.Repo.UnitsWith(o)) == 0 {
		return RefuseUnapplied(o, byHand)
	}
	return nil
}

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
	// Reason tells what is not done, why, and what to do by hand.
	Reason string
	// Alike is the same text for refusals that differ only in places and names, so that they can be reported together; "" for
	// refusals that stand alone.
	Alike string
}

func (r *Refusal) Error() string { return r.Reason }

func Refuse(format string, args ...any) error {
	return &Refusal{Reason: fmt.Sprintf(format, args...), Alike: format}
}

// RefuseTemplate refuses to edit an object of a template. It names the place in the template, and what to do there.
func RefuseTemplate(o *objects.Object, path manifest.Path, what string) error {
	return &Refusal{
		Reason: fmt.Sprintf("%s comes out of the template at %s, which may write others as well: %s", NameOf(o), o.Position(path), what),
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

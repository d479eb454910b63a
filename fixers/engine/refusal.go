package engine

import (
	"errors"
	"fmt"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// AsRefusal makes an error the reason of a refusal.
func AsRefusal(err error) *Refusal {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal
	}
	return &Refusal{Reason: err.Error()}
}

// reason makes the editor's refusal one of the fix.
func reason(err error) string {
	var refused *manifest.RefusedError
	if errors.As(err, &refused) {
		return refused.Error() + ": change it by hand"
	}
	return err.Error()
}

// Refusal is the error of a fix that is not made.
type Refusal struct {
	// Reason says what is not done, why, and what to do by hand.
	Reason string
	// Alike is the same for refusals that differ only by the places and names in their reasons; "" for those that stand alone.
	Alike string
}

func (r *Refusal) Error() string { return r.Reason }

func Refuse(format string, args ...any) error {
	return &Refusal{Reason: fmt.Sprintf(format, args...), Alike: format}
}

// RefuseTemplate says where the template stands that wrote a field, and what to do there.
func RefuseTemplate(o *objects.Object, path manifest.Path, what string) error {
	return &Refusal{
		Reason: fmt.Sprintf("%s comes out of the template at %s, which may write others as well: %s", NameOf(o), o.Position(path), what),
		Alike:  "template: " + what,
	}
}

// CheckInFile refuses to edit what a template was rendered to.
func CheckInFile(o *objects.Object) error {
	if o.InFile() {
		return nil
	}
	return RefuseTemplate(o, nil, "change it there by hand")
}

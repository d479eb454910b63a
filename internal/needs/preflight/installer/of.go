package installer

import (
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/kube/rbac"
)

// Of tells who installs an extension of the repository, by nothing but what the repository says. The error says what is
// not known; where OLM acts as its own account (NotActing), nothing need be.
func Of(e loader.Extension) (*Installer, error) { return of(e, Choice{}) }

// As is Of for another identity, which is to take the place of the one that installs the extension now.
func As(e loader.Extension, who rbac.Identity) (*Installer, error) {
	return of(e, Choice{Identity: &who})
}

func of(e loader.Extension, choice Choice) (*Installer, error) {
	i := &Installer{}
	i.describe(&e)
	if err := i.findRuntime(""); err != nil {
		return nil, err
	}
	return i, i.identify(&e, choice)
}

// UnknownError says what about an installer is not known.
type UnknownError struct {
	// Reason is what and where, Hint how a user of salint preflight supplies it.
	Reason, Hint string
}

func (e *UnknownError) Error() string { return e.Reason + e.Hint }

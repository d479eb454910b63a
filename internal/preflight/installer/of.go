package installer

import "github.com/salint/salint/internal/world"

// Of tells who installs an extension of the repository, by nothing but what the repository says. The error says what is
// not known; where OLM acts as its own account (NotActing), nothing need be.
func Of(e world.Extension) (*Installer, error) {
	i := &Installer{}
	i.describe(&e)
	if err := i.findRuntime(""); err != nil {
		return nil, err
	}
	return i, i.identify(&e, Choice{})
}

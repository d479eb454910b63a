package answer

import (
	"fmt"
	"slices"
)

// AllGranted returns whether the manifests of the answers grant what is missing, so that a script can apply them.
func AllGranted(answers []Answer) bool {
	return !slices.ContainsFunc(answers, func(a Answer) bool { return a.Missing() && len(a.Wanted()) == 0 })
}

// CheckRead returns an error if not everything could be read, because the answer "nothing is missing" could be wrong.
func (a Answer) CheckRead() error {
	if a.Errors == nil || len(a.Errors.Unread) == 0 && !a.Errors.Truncated {
		return nil
	}
	unread := "it is truncated"
	if n := len(a.Errors.Unread); n > 0 {
		unread = a.Errors.Unread[0]
		if n > 1 {
			unread += fmt.Sprintf("; and %d more", n-1)
		}
	}
	return fmt.Errorf("--errors %s: no missing permission was found, but part of the text could not be read: %s", a.Errors.Source, unread)
}

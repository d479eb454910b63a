package olm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/kube/olm"
)

// A document that is skipped for its kind or for its words must not have been a sign.
func TestSignsAreOfTheKindsThatAreRead(t *testing.T) {
	t.Parallel()
	kinds := olm.SignKinds()
	for _, name := range []string{crdRequires, crdIgnores, "image v1.9.0", "gates A=true", "version 4.20.0", "set Default"} {
		text := unitObject(t, name)
		obj := object(t, text)
		if len(olm.ReadSigns(obj)) == 0 {
			t.Errorf("%s is no sign", name)
		}
		words := kinds[obj.Get("kind").String()]
		if !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) }) {
			t.Errorf("%s has none of the words %q", name, words)
		}
	}
}

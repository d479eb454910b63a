package olm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/salint/salint/internal/kube/olm"
)

// TestSignalKinds checks that a document that is skipped for its kind or for its words is never a signal.
func TestSignalKinds(t *testing.T) {
	t.Parallel()
	kinds := olm.SignalKinds()
	for _, name := range []string{crdRequires, crdIgnores, "image v1.9.0", "gates A=true", "version 4.20.0", "set Default"} {
		text := unitObject(t, name)
		obj := object(t, text)
		if len(olm.ReadSignals(obj)) == 0 {
			t.Errorf("%s is not a signal", name)
		}
		words := kinds[obj.Get("kind").String()]
		if !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) }) {
			t.Errorf("%s contains none of the words %q", name, words)
		}
	}
}

package deniedtext_test

import (
	"strings"
	"testing"

	"github.com/salint/salint/internal/needs/deniedtext"
)

// FuzzParse looks for panics, for permissions that allow nothing, and for control characters in the output.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{refusal, listing, grant, "status:\n  message: " + folded(refusal), listing + "\n\n... [message truncated]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		report, err := deniedtext.Parse(data)
		if err != nil {
			return
		}
		for _, m := range report.Missing {
			if len(m.Rule.Verbs) == 0 || len(m.Rule.Resources)+len(m.Rule.NonResourceURLs) == 0 {
				t.Errorf("%+v", m)
			}
			if strings.ContainsAny(m.Why+m.User+m.Rule.String(), "\x00\x1b\n\r") {
				t.Errorf("%+v", m)
			}
		}
		for _, text := range append(report.Unread, report.Unresolved...) {
			if text == "" || strings.ContainsAny(text, "\x00\x1b\n\r") {
				t.Errorf("%q", text)
			}
		}
	})
}

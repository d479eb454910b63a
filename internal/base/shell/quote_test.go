package shell

import "testing"

func TestQuotes(t *testing.T) {
	t.Parallel()
	for word, want := range map[string][2]string{
		"a b":       {"'a b'", `"a b"`},
		"it's":      {`'it'\''s'`, `"it's"`},
		"$HOME 's'": {`'$HOME '\''s'\'''`, `'$HOME ''s'''`},
		`say "x"`:   {`'say "x"'`, `'say "x"'`},
		"100% x":    {"'100% x'", "'100% x'"},
		"token/*":   {"'token/*'", `"token/*"`},
	} {
		for i, windows := range []bool{false, true} {
			if got := quote(word, windows); got != want[i] {
				t.Errorf("%q (Windows: %t): %s, not %s", word, windows, got, want[i])
			}
		}
	}
}

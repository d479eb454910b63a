package manifest

import "testing"

func TestYtt(t *testing.T) {
	for text, want := range map[string]bool{
		"name: #@ data.values.name\n":                   true,
		"#@ load(\"@ytt:data\", \"data\")\n---\na: b\n": true,
		"#@overlay/match by=overlay.all\n---\na: b\n":   true,
		"a: b\n#@ end\n":                                true,
		"a: {{ b\n#@ end\n":                             true,
		"#! a comment of ytt\na: b\n":                   false,
		"# @schema\na: b\n":                             false,
		"#@schema\na: b\n":                              false,
		"a: b#@ c\n":                                    false,
		"a: \"b #@ c\"\n":                               false,
		"a: |\n  #@ b\n":                                false,
	} {
		if _, got := Scan("a.yaml", []byte(text)).Ytt(); got != want {
			t.Errorf("%q: ytt is %v, want %v", text, got, want)
		}
	}
}

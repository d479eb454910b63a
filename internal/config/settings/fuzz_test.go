package settings

import (
	"strings"
	"testing"
)

// FuzzLoad checks that any configuration is read, or refused with its name and a message of limited length.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		"target: olm-1.11\nexclude: ['**/a']\nrules: {olm/*: off}\n",
		"limits: {fileSize: 32MiB, renderTime: 20s, renderMemory: 768MiB, policyTime: 5s, runTime: 5m}\n",
		"overrides:\n- paths: [a/**]\n  target: olm-1.8\n  rules: {x/y: {severity: error}}\n",
		"a: &a [b]\nc: *a\n? [d]\n: e\n", "policies: [/etc, ../..]\nbundles: {a: b}\nhelm: {c: {values: [[d]]}}\n",
		"limits: {fileSize: 99999999999999999999EiB, runTime: -1ns}\n", "--- !!set\n{a}\n---\nb\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Load(FileName, func(string, int64) ([]byte, error) { return []byte(text), nil })
		if err == nil {
			_ = c.Validate(func(string) error { return nil }, []string{"a/b"})
			return
		}
		if !strings.Contains(err.Error(), FileName) || len(err.Error()) > 30_000+10*len(text) {
			t.Errorf("%q: %d bytes: %.300v", text, len(err.Error()), err)
		}
	})
}

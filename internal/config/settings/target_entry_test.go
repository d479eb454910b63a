package settings

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSetTargets(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text, want string
		files      []string
	}{
		"quoted, with a comment": {
			text: "failOn: error\ntarget: 'olm-1.10' # old\n", files: []string{"a.yaml"},
			want: "failOn: error\ntarget: olm-1.11 # old\n",
		},
		"two entries in one line": {
			text:  "{target: olm-1.10, overrides: [{paths: [b/**], target: required}, {paths: [c/**], target: olm-1.9}]}\n",
			files: []string{"a.yaml", "b/b.yaml"},
			want:  "{target: olm-1.11, overrides: [{paths: [b/**], target: olm-1.11}, {paths: [c/**], target: olm-1.9}]}\n",
		},
		"the last override wins": {
			text:  "overrides:\r\n- paths: [b/**]\r\n  target: olm-1.9\r\n- paths: [b/c/**]\r\n  target: olm-1.10\r\n",
			files: []string{"b/c/d.yaml"},
			want:  "overrides:\r\n- paths: [b/**]\r\n  target: olm-1.9\r\n- paths: [b/c/**]\r\n  target: olm-1.11\r\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := Parse(".salint.yaml", []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			var entries []TargetEntry
			for _, file := range test.files {
				entry, ok := c.TargetEntryFor(file)
				if !ok {
					t.Fatalf("no entry for %s", file)
				}
				entries = append(entries, entry)
			}
			got, err := SetTargets(".salint.yaml", []byte(test.text), entries, "olm-1.11")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoTargetEntry(t *testing.T) {
	t.Parallel()
	c, err := Parse(".salint.yaml", []byte("target: olm-1.10\noverrides:\n- paths: [b/**]\n  target: auto\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.TargetEntryFor("b/c.yaml"); ok {
		t.Error("an override with auto sets a target")
	}
	if _, err := SetTargets(".salint.yaml", []byte("target: olm-1.9\n"), []TargetEntry{{-1, "olm-1.10", 1, 9}}, "olm-1.11"); err == nil {
		t.Error("a target that changed since is overwritten")
	}
}

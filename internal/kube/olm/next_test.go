package olm

import "testing"

func TestNext(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct{ next, change string }{
		"olm-1.0": {"olm-1.1", "olm-1.11"}, "olm-1.10": {"olm-1.11", "olm-1.11"}, "olm-1.11": {}, "olm-1.12": {},
		"ocp-4.18": {"ocp-4.19", "ocp-5.1"}, "ocp-4.23": {"ocp-5.1", "ocp-5.1"}, "ocp-5.0": {"ocp-5.1", ""}, "ocp-5.1": {},
		"ocp-4.20-proposed": {"ocp-4.21-proposed", "ocp-4.21-proposed"}, "ocp-techpreview-proposed": {},
		"required": {"ignored", "ignored"}, "synthetic": {"ignored", "ignored"}, "ignored": {}, "removed": {},
	} {
		target, err := ParseTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		for what, c := range map[string]struct {
			of   func() (Target, bool)
			want string
		}{"next": {target.Next, want.next}, "next change": {target.NextChange, want.change}} {
			if got, ok := c.of(); ok != (c.want != "") || ok && got.Name != c.want {
				t.Errorf("%s: %s is %q, %t; want %q", name, what, got.Name, ok, c.want)
			}
		}
	}
}

func TestSides(t *testing.T) {
	t.Parallel()
	for onOpenShift, want := range map[bool][2]string{false: {"olm-1.10", "olm-1.11"}, true: {"ocp-4.23", "ocp-5.1"}} {
		if last, first := Sides(onOpenShift); last.Name != want[0] || first.Name != want[1] {
			t.Errorf("OpenShift %t: %s and %s; want %q", onOpenShift, last.Name, first.Name, want)
		}
	}
}

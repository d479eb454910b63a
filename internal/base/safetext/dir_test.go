package safetext

import "testing"

func TestWithoutDir(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, dir, want string }{
		{"/home/a/policy/x.rego:3: wrong", "/home/a", "policy/x.rego:3: wrong"},
		{"a.yaml:1: as in (/home/a/b.yaml)\n/home/a/c.yaml: \"/home/a/d\"", "/home/a/", "a.yaml:1: as in (b.yaml)\nc.yaml: \"d\""},
		{"/home/ab/x.rego and /srv/home/a/x.rego", "/home/a", "/home/ab/x.rego and /srv/home/a/x.rego"},
		{"there is no folder /home/a", "/home/a", "there is no folder /home/a"},
		{"/etc/x.yaml", "/", "/etc/x.yaml"},
		{"./x.yaml", ".", "./x.yaml"},
	} {
		if got := WithoutDir(test.text, test.dir); got != test.want {
			t.Errorf("%q in %s is %q, want %q", test.text, test.dir, got, test.want)
		}
	}
}

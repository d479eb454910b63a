package rbac

import "testing"

func TestCanEqual(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"inst", "inst", true},
		{"inst", "other", false},
		{"${SA}", "inst", true},
		{"${SA:-inst}", "anything", true},
		{"$(SA)-inst", "argocd-inst", true},
		{"$(SA)-inst", "argocd-installer", false},
		{"argocd-{{ x }}", "argocd-inst", true},
		{"argocd-{{ x }}", "quay-inst", false},
		{"ab${X}bc", "abc", false},
		{"a-${X}", "a-b-${Y}", true},
		{"a-${X}", "b-${Y}", false},
		{"${X}-a", "${Y}-b", false},
		{"system:serviceaccount:${NS:-x}:inst", "system:serviceaccount:argocd:inst", true},
	} {
		if CanEqual(c.a, c.b) != c.want || CanEqual(c.b, c.a) != c.want {
			t.Errorf("CanEqual(%q, %q) is not %v both ways", c.a, c.b, c.want)
		}
	}
}

func TestTemplatedNamespaceAccount(t *testing.T) {
	t.Parallel()
	for s, want := range map[Subject]string{
		{KindServiceAccount, "${NS}", "inst"}:                       "inst",
		{KindServiceAccount, "argocd", "inst"}:                      "",
		{KindServiceAccount, "${NS}", "${SA}"}:                      "",
		{KindUser, "", "system:serviceaccount:${NS}:inst"}:          "inst",
		{KindUser, "", "system:serviceaccount:${NS:-argocd}:inst"}:  "inst",
		{KindUser, "", "system:serviceaccount:team-{{ x }}-a:inst"}: "inst",
		{KindUser, "", "system:serviceaccount:argocd:inst"}:         "",
		{KindUser, "", "system:serviceaccount:argocd:${SA:-inst}"}:  "",
		{KindUser, "", "${NS}:inst"}:                                "",
	} {
		if got, _ := s.templatedNamespaceAccount(); got != want {
			t.Errorf("%v: got %q, want %q", s, got, want)
		}
	}
}

func TestTemplatedSubjectCanBe(t *testing.T) {
	t.Parallel()
	inst := Subject{KindServiceAccount, "argocd", "inst"}
	user := Subject{KindUser, "", "olm:clusterextension:argocd"}
	for _, c := range []struct {
		written, asked Subject
		want           bool
	}{
		{Subject{KindServiceAccount, "argocd", "${SA}"}, inst, true},
		{Subject{KindServiceAccount, "${NS}", "${SA}"}, inst, true},
		{Subject{KindServiceAccount, "", "${SA}"}, inst, true},
		{Subject{KindServiceAccount, "quay", "${SA}"}, inst, false},
		{Subject{KindServiceAccount, "argocd", "${SA}"}, user, false},
		{Subject{KindUser, "", "system:serviceaccount:argocd:${SA}"}, inst, true},
		{Subject{KindUser, "", "system:serviceaccount:quay:${SA}"}, inst, false},
		{Subject{KindUser, "", "${USER}"}, user, true},
		{Subject{KindUser, "", "olm:clusterextension:${NAME}"}, user, true},
		{Subject{KindUser, "", "olm:clusterextension:${NAME}"}, inst, false},
		{Subject{KindGroup, "", "system:serviceaccounts:${NS}"}, inst, true},
		{Subject{KindGroup, "", "${ADMINS}"}, inst, false},
	} {
		if got := (TemplatedSubject{Written: c.written}).CanBe(c.asked); got != c.want {
			t.Errorf("%v may be %v: got %v", c.written, c.asked, got)
		}
	}
}

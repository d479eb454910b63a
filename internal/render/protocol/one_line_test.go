package protocol

import "testing"

func TestOneLine(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		`accumulating components: accumulateDirectory: "recursed accumulation of path '../c': no \"x\""`:                                                                     `../c: no "x"`,
		`no resource matches strategic merge patch "Role.v1.[noGrp]/a.b": no matches for Id Role.v1.[noGrp]/a.b; failed to find unique target for patch Role.v1.[noGrp]/a.b`: `no resource matches strategic merge patch "Role.v1.[noGrp]/a.b"`,
		`"accumulating 'c': no resource matches strategic merge patch \"Role/a.b\": no matches for Id Role/a.b; failed to find unique target for patch Role/a.b"`:            `"accumulating 'c': no resource matches strategic merge patch \"Role/a.b\""`,
		"a\n": "a",
		"updating name reference in 'subjects' field of 'x': found multiple possible referrals: ServiceAccount.v1/b, ServiceAccount.v1/a\n\n**** Too many\nkind: Secret": "updating name references: found multiple possible referrals: ServiceAccount.v1/a, ServiceAccount.v1/b",
		"values don't meet the schema:\napp:\n- (root): b is required\n- (root): a is required\nsub:\n- x":                                                               "values don't meet the schema: app: - (root): a is required - (root): b is required sub: - x",
		"yaml: unmarshal errors:\n  line 2: x": "yaml: unmarshal errors: line 2: x",
	} {
		if got := OneLine(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

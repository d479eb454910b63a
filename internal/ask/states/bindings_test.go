package states

import (
	"fmt"
	"strings"
	"testing"
)

// TestStatements checks which text decides whether a binding in a script or module is the same as before.
func TestStatements(t *testing.T) {
	t.Parallel()
	const resource = "resource \"kubernetes_cluster_role_binding\" \"a\" {\n  role_ref {\n    name = \"view\"\n  }\n  subject {\n    name = \"reader\"\n  }\n}\n"
	tests := map[string]struct {
		before, after string
		line          int // of the subject
		same          bool
	}{
		"a command beside another line": {"oc adm policy add-role-to-user view -z a\n", "echo hi\noc adm policy add-role-to-user view -z a\n", 2, true},
		"a changed role":                {"oc adm policy add-role-to-user view -z a\n", "oc adm policy add-role-to-user edit -z a\n", 1, false},
		"only blanks":                   {"oc adm  policy add-role-to-user view -z a\n", "oc adm policy \\\n  add-role-to-user view -z a\n", 2, true},
		"a resource beside a variable":  {"variable \"x\" {\n  default = 1\n}\n" + resource, "variable \"x\" {\n  default = 2\n}\n" + resource, 9, true},
	}
	for name, test := range tests {
		before, after := split([]byte(test.before)), split([]byte(test.after))
		line := test.line
		if len(before.lines) < len(after.lines) {
			line -= len(after.lines) - len(before.lines)
		}
		was, is := before.at(max(line, 1)), after.at(test.line)
		if got := was == is && before.sets(was) == after.sets(is); got != test.same {
			t.Errorf("%s: same %v: %q and %q", name, got, was, is)
		}
	}
}

// TestSettersOfStatements checks that a variable counts as a part of the binding that uses it.
func TestSettersOfStatements(t *testing.T) {
	t.Parallel()
	const command = "kubectl create clusterrolebinding x --clusterrole=$ROLE --serviceaccount=a:b"
	before, after, other := split([]byte("ROLE=view\n"+command)), split([]byte("ROLE=cluster-admin\n"+command)), split([]byte("TEAM=b\nROLE=view\n"+command))
	if before.sets(command) == after.sets(command) {
		t.Error("another role is not noticed")
	}
	if before.sets(command) != other.sets(command) {
		t.Errorf("%q and %q", before.sets(command), other.sets(command))
	}
}

// TestManyVariables checks that a text with very many variables counts as changed wherever it is.
func TestManyVariables(t *testing.T) {
	t.Parallel()
	var command strings.Builder
	for i := range 2 * maxVariables {
		fmt.Fprintf(&command, "$V%d ", i)
	}
	before, after := split([]byte("A=1")), split([]byte("A=2"))
	if before.sets(command.String()) == after.sets(command.String()) {
		t.Error("another text is not noticed")
	}
}

package admission_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// chain writes variables, each computed from the previous one, called V.
func chain(n int, first, next string) string {
	texts := []string{"{name: v0, expression: " + quoted(first) + "}"}
	for i := 1; i <= n; i++ {
		expression := strings.ReplaceAll(next, "V", fmt.Sprintf("variables.v%d", i-1))
		texts = append(texts, fmt.Sprintf("{name: v%d, expression: %s}", i, quoted(expression)))
	}
	return strings.Join(texts, ", ")
}

// nested nests values of one kind in a single expression.
func nested(n int) string {
	text := fmt.Sprintf("x%d == x%d", n, n)
	for i := n; i > 0; i-- {
		text = fmt.Sprintf("[[x%d, x%d]].all(x%d, %s)", i-1, i-1, i, text)
	}
	return "[1].all(x0, " + text + ")"
}

// TestHostileExpressions checks that no policy takes long, or much memory, where CEL's own limits allow minutes and gigabytes. None of
// these policies counts as a limit.
func TestHostileExpressions(t *testing.T) {
	t.Parallel()
	const thousand = 1000
	tests := []struct{ name, variables, validation string }{
		{"a list that holds a list twice", chain(60, "[1]", "[V, V]"), "variables.v60 == variables.v60"},
		{"a map that holds a map twice", chain(60, "{'a': 1}", "{'a': V, 'b': V}"), "variables.v60 == variables.v60"},
		{"an optional that holds one twice", chain(60, "optional.of(1)", "optional.of([V, V])"), "variables.v60 == variables.v60"},
		{"a list after itself", chain(60, "[1]", "V + V"), "variables.v60 == variables.v60"},
		{"a text after itself", chain(60, "'a'", "V + V"), "variables.v60 == ''"},
		{"a text in place of each letter", chain(9, "'"+strings.Repeat("a", thousand)+"'", "V.replace('a', V)"), "variables.v9 == ''"},
		{"a text quoted again", chain(60, `'"'`, "strings.quote(V)"), "variables.v60 == ''"},
		{"a value as text", chain(60, "[1]", "[V, V]"), "'%s'.format([variables.v60]) == ''"},
		{"texts between texts", chain(40, "['a', 'b']", "V + V"), "variables.v40.join('" + strings.Repeat("a", thousand) + "') == ''"},
		{"sets", chain(13, "[1]", "V + V"), "sets.equivalent(variables.v13, variables.v13) && sets.equivalent(variables.v14, variables.v14)"},
		{"a large pattern", "", "'" + strings.Repeat("a", 20*thousand) + "'.matches('" + strings.Repeat(".{1000}", 400) + "b$')"},
		{"a pattern that is made", "", "'a'.matches('a' + 'b')"},
		{"a long text", "", "'" + strings.Repeat("a", 20*thousand) + "' == 'a'"},
		{"in one expression", "", nested(40)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			text := policy("variables: ["+test.variables+"], validations: [{expression: "+quoted(test.validation)+"}]") + bound(deny)
			if got := judged(t, text, developers, create); !strings.HasPrefix(got, "unknown: Policy cannot be evaluated") {
				t.Error(got)
			}
			const long = 20 * time.Second // many times the expected time
			if took := time.Since(start); took > long {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestManyPolicies checks that a verdict has few reasons, however many policies limit others, and that unknown ones come
// first.
func TestManyPolicies(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 50 {
		one := when(fmt.Sprintf("'team-%d' in request.userInfo.groups", i)) + bound(deny)
		text.WriteString(strings.ReplaceAll(one, "limits", fmt.Sprintf("limits-%d", i)))
	}
	text.WriteString(when("object.spec.namespace == 'a'") + bound(deny))
	got := judged(t, text.String(), developers, create)
	const first = "unknown: Policy has a match condition, c, that depends on more than the user: Policy excludes Group developers"
	if strings.Count(got, "Policy ") != 5 || !strings.HasPrefix(got, first) {
		t.Error(got)
	}
}

package admission_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	k8sadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/klog/v2"

	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/rbac"
)

var (
	seed = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the first policies; the next have one more")
	runs = flag.Int("runs", 60, "how many policies to make up")
)

// The plugin warns of audit annotations that are written twice.
func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

// maker makes up policies. Every field of the object is used once at most, so that what depends on one can be both; there are few,
// so that all objects can be tried.
type maker struct {
	*rand.Rand
	fields int
	// variables are those that are declared and not used yet.
	variables []string
}

func one[T any](m *maker, values ...T) T { return values[m.IntN(len(values))] }

// some is a list in flow style; it has a value at least.
func some(m *maker, values ...string) string {
	var chosen []string
	for _, value := range values {
		if m.IntN(2) == 0 {
			chosen = append(chosen, value)
		}
	}
	if len(chosen) == 0 {
		chosen = append(chosen, one(m, values...))
	}
	return "[" + strings.Join(chosen, ", ") + "]"
}

// ofObject depends on a field that nothing else depends on. Some fail where there is no such field.
func (m *maker) ofObject() string {
	const most = 7
	if m.fields == most {
		return m.ofSubject()
	}
	m.fields++
	return fmt.Sprintf(one(m, "object.spec.b%d == true", "(has(object.spec.b%d) && object.spec.b%[1]d)", "object.spec.?b%d.orValue(false) == true", "object.spec['b%d'] != false"), m.fields)
}

func (m *maker) ofSubject() string {
	return one(m,
		"'developers' in request.userInfo.groups", "request.userInfo.groups.exists(g, g == 'testers')", "request.userInfo.groups.all(g, g.startsWith('system:'))",
		"request.userInfo.username == 'ada'", "request.userInfo.username.startsWith('system:serviceaccount:tools:')", "request.userInfo.username.matches('^a.*$')",
		"request.userInfo.username.split(':').size() > 3", "request.operation == 'CREATE'", "request.resource.resource == 'clusterextensions'",
		"request.kind.kind in ['ClusterCatalog', 'ClusterObjectSet']", "request.namespace == ''", "namespaceObject == null", "request.subResource != ''",
		"authorizer.group('*').resource('*').check('*').allowed()", "authorizer.path('/metrics').check('get').allowed()",
		"sets.intersects(request.userInfo.groups, ['testers', 'developers'])", "true", "false",
		"request.userInfo.groups.map(g, g.size()).exists(n, n == 7)", "[1, 2].exists(n, n + 1 == 3)", "oldObject == null", "oldObject != null", "object == null",
		"'DEVELOPERS'.lowerAscii() in request.userInfo.groups", "request.userInfo.groups.filter(g, g.contains('dev')).size() == 1",
	)
}

func (m *maker) expression(depth int) string {
	if depth > 0 {
		switch m.IntN(5) {
		case 0:
			return "(" + m.expression(depth-1) + " && " + m.expression(depth-1) + ")"
		case 1:
			return "(" + m.expression(depth-1) + " || " + m.expression(depth-1) + ")"
		case 2:
			return "!(" + m.expression(depth-1) + ")"
		case 3:
			return "(" + m.ofSubject() + " ? " + m.expression(depth-1) + " : " + m.expression(depth-1) + ")"
		}
	}
	switch n := m.IntN(5); {
	case n == 0 && len(m.variables) > 0:
		name := m.variables[0]
		m.variables = m.variables[1:]
		return "variables." + name
	case n < 3:
		return m.ofSubject()
	}
	return m.ofObject()
}

func (m *maker) rule(named string) string {
	const ours, both = "[olm.operatorframework.io]", "[clusterextensions, clustercatalogs]"
	rule := fmt.Sprintf("{apiGroups: %s, apiVersions: %s, operations: %s, resources: %s",
		one(m, ours, ours, ours, ours, "['*']", "[apps, olm.operatorframework.io]", "[apps]"), one(m, "[v1]", "[v1]", "['*']"),
		one(m, "['*']", "[CREATE, UPDATE]", "[CREATE, UPDATE]", "[CREATE, UPDATE]", some(m, "CREATE", "UPDATE", "DELETE", "CONNECT")),
		one(m, "['*']", "[clusterextensions]", both, both, both, "['*/*']", "[clusterextensions/*]", one(m, "[clusterextensions/status]", "[clusterobjectsets]", "['*/status']")))
	if m.IntN(4) == 0 {
		rule += ", scope: " + one(m, "'*'", "Cluster", "Cluster", "Namespaced")
	}
	if named != "" && m.IntN(6) == 0 {
		rule += ", resourceNames: [" + named + "]"
	}
	return rule + "}"
}

// match selects what is written. What a writer can choose lets the name a and the label x: y in, or leaves both out
// everywhere, so that choices which escape one limit do not run into another.
func (m *maker) match() string {
	text := "resourceRules: [" + m.rule("b")
	for range m.IntN(3) {
		text += ", " + m.rule("b")
	}
	text += "]"
	if m.IntN(5) == 0 {
		text += ", excludeResourceRules: [" + m.rule("a") + "]"
	}
	if m.IntN(8) == 0 {
		text += ", objectSelector: " + one(m, "{}", "{matchLabels: {x: z}}", "{matchExpressions: [{key: x, operator: Exists}]}")
	}
	if m.IntN(8) == 0 {
		text += ", namespaceSelector: {matchLabels: {x: z}}"
	}
	if m.IntN(4) == 0 {
		text += ", matchPolicy: " + one(m, "Exact", "Equivalent")
	}
	return "{" + text + "}"
}

func (m *maker) policy(name string) string {
	m.variables = nil
	var variables, conditions, validations []string
	for i := range m.IntN(3) {
		called := fmt.Sprintf("v%d", i)
		variables = append(variables, fmt.Sprintf("{name: %s, expression: %s}", called, quoted(m.expression(2))))
		m.variables = append(m.variables, called)
	}
	declared := m.variables
	m.variables = nil // the API server knows none in conditions
	for i := range one(m, 0, 0, 1, 1, 2) {
		condition := m.ofSubject()
		if m.IntN(4) == 0 {
			condition = m.expression(2)
		}
		conditions = append(conditions, fmt.Sprintf("{name: c%d, expression: %s}", i, quoted(condition)))
	}
	m.variables = declared
	for range 1 + m.IntN(2) {
		validations = append(validations, "{expression: "+quoted(m.expression(3))+"}")
	}
	text := "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: " + name + "}\nspec:\n" +
		"  matchConstraints: " + m.match() + "\n  variables: [" + strings.Join(variables, ", ") + "]\n" +
		"  matchConditions: [" + strings.Join(conditions, ", ") + "]\n  validations: [" + strings.Join(validations, ", ") + "]\n"
	if m.IntN(4) == 0 {
		text += "  failurePolicy: " + one(m, "Fail", "Ignore") + "\n"
	}
	for i := range one(m, 0, 1, 1, 1, 1, 2, 2) {
		text += fmt.Sprintf("---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: %s-%d}\nspec:\n  policyName: %s\n  validationActions: %s\n",
			name, i, one(m, name, name, name, name, name, name, "other"), one(m, "[Deny]", "[Deny]", "[Deny]", "[Deny, Audit]", "[Deny, Audit]", "[Warn]", "[Audit, Warn]"))
		if m.IntN(4) == 0 {
			text += "  matchResources: " + m.match() + "\n"
		}
	}
	return text
}

// writes are objects under a name and with labels, with all values that the fields of the policies can have.
func (m *maker) writes(name string, labels map[string]any) (objects []map[string]any) {
	for n := range 1 << m.fields {
		spec := map[string]any{}
		for i := range m.fields {
			spec[fmt.Sprintf("b%d", i+1)] = n>>i&1 == 1
		}
		objects = append(objects, map[string]any{"metadata": map[string]any{"name": name, "labels": labels}, "spec": spec})
	}
	return objects
}

// TestRandomVerdicts makes up policies and holds what salint is certain of beside what the plugin decides: whoever is not
// limited can write everything under some name and with some labels, and whoever is limited cannot under any.
func TestRandomVerdicts(t *testing.T) {
	states := map[admission.State]int{}
	for i := range *runs {
		m := &maker{Rand: rand.New(rand.NewPCG(*seed+uint64(i), 0))}
		text := m.policy("p")
		if m.IntN(2) == 0 {
			text += "---\n" + m.policy("q")
		}
		p, set := start(t, text), admission.New(objectsIn(t, text))
		for subject, who := range subjects {
			for _, attempt := range []admission.Attempt{
				{Operation: "CREATE", Resource: "clusterextensions"}, {Operation: "UPDATE", Resource: "clusterextensions"},
				{Operation: "UPDATE", Resource: "clusterextensions", Name: "b"}, {Operation: "CREATE", Resource: "clustercatalogs"},
			} {
				attempt.Group = "olm.operatorframework.io"
				verdict := set.Judge(admission.RequesterOf(subject, func(rbac.Request) (allowed, known bool) { return false, true }), attempt)
				states[verdict.State]++
				if difference := m.compare(p, who, attempt, verdict); difference != "" {
					t.Fatalf("-run '^TestRandomVerdicts$' -runs 1 -seed %d\n%v %v: salint says %s %v, %s\n%s",
						*seed+uint64(i), subject, attempt, verdict.State, reasons(verdict), difference, text)
				}
			}
		}
	}
	t.Logf("seed %d: %v", *seed, states)
	if states[admission.Unknown]*2 > states[admission.Limited]+states[admission.Open] {
		t.Errorf("too much is not known: %v", states)
	}
}

func (m *maker) compare(p plugin, who user.Info, attempt admission.Attempt, verdict admission.Verdict) string {
	names := []string{"a", "b", "c"}
	if attempt.Name != "" {
		names = []string{attempt.Name}
	}
	free := slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc([]map[string]any{nil, {"x": "z"}}, func(labels map[string]any) bool {
			return !slices.ContainsFunc(m.writes(name, labels), func(o map[string]any) bool {
				return p.write(who, k8sadmission.Operation(attempt.Operation), attempt.Resource, o) != nil
			})
		})
	})
	switch {
	case verdict.State == admission.Limited && free:
		return "and nothing is refused"
	case verdict.State == admission.Open && !free:
		return "and some is refused under all names"
	}
	return ""
}

package admission_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects/objectstest"
	"github.com/salint/salint/internal/kube/rbac"
)

var (
	developers = rbac.Subject{Kind: rbac.KindGroup, Name: "developers"}
	ada        = rbac.Subject{Kind: rbac.KindUser, Name: "ada"}
	deployer   = rbac.Subject{Kind: rbac.KindServiceAccount, Namespace: "tools", Name: "deployer"}

	create = admission.Attempt{Operation: "CREATE", Group: "olm.operatorframework.io", Resource: "clusterextensions"}
)

// policy writes a policy for ClusterExtensions with further fields of its spec, in flow style; bound writes a binding that
// denies, with further fields.
func policy(more string) string {
	return "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: limits}\nspec: {" +
		"matchConstraints: {resourceRules: [{apiGroups: [olm.operatorframework.io], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [clusterextensions]}]}, " +
		more + "}\n"
}

func bound(more string) string {
	return "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: limits}\nspec: {policyName: limits, " + more + "}\n"
}

const (
	deny     = "validationActions: [Deny, Audit]"
	packages = `validations: [{expression: "object.spec.source.catalog.packageName == 'harbor'"}]`
)

// when writes a policy with a match condition, validates writes one with a validation.
func when(condition string) string {
	return policy(packages + ", matchConditions: [{name: c, expression: " + quoted(condition) + "}]")
}

func validates(validation string) string {
	return policy("validations: [{expression: " + quoted(validation) + "}]")
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// rules writes a policy with other resource rules.
func rules(rule, more string) string {
	return strings.Replace(policy(packages), "resourceRules: [{apiGroups: [olm.operatorframework.io], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [clusterextensions]}]",
		"resourceRules: [{"+rule+"}]"+more, 1)
}

// judged formats a verdict: its state, and the reasons.
func judged(t *testing.T, text string, s rbac.Subject, attempt admission.Attempt) string {
	t.Helper()
	who := admission.RequesterOf(s, func(r rbac.Request) (allowed, known bool) { return r.Resource == "harbors", r.Resource != "unheard" })
	return written(admission.New(objectstest.In(t, "a.yaml", text)).Judge(who, attempt))
}

func written(verdict admission.Verdict) string {
	texts := []string{string(verdict.State)}
	for _, r := range verdict.Reasons {
		texts = append(texts, strings.TrimPrefix(r.Object.Kind, "ValidatingAdmission")+" "+r.Text)
	}
	return strings.Join(texts, ": ")
}

func TestMissingHalves(t *testing.T) {
	t.Parallel()
	const olm = "apiGroups: [olm.operatorframework.io], apiVersions: [v1], "
	all := policy(packages) + bound(deny)
	tests := []struct {
		name, text string
		attempt    admission.Attempt
		want       string
	}{
		{"nothing", "", create, "open"},
		{"both halves", all, create, "limited"},
		{"no binding", policy(packages), create, "open: Policy has no ValidatingAdmissionPolicyBinding"},
		{"warns", policy(packages) + bound("validationActions: [Warn, Audit]"), create, "open: PolicyBinding does not deny: its validationActions are Warn and Audit"},
		{"also warns", policy(packages) + bound("validationActions: [Deny, Warn]"), create, "open: PolicyBinding is refused by the API server: its validationActions are Deny and Warn, and Deny cannot be combined with Warn"},
		{"an old policy", strings.Replace(policy(packages), "k8s.io/v1", "k8s.io/v1beta1", 1) + bound(deny), create, "unknown: Policy has version v1beta1, which API servers serve only if it is enabled"},
		{"an old binding", policy(packages) + strings.Replace(bound(deny), "k8s.io/v1", "k8s.io/v1alpha1", 1), create, "unknown: PolicyBinding has version v1alpha1, which API servers serve only if it is enabled"},
		{"several bindings", policy(packages) + bound("validationActions: [Warn]") + bound(deny), create, "limited"},
		{"several policies", policy(`validations: [{expression: "true"}]`) + strings.Replace(policy(packages), "name: limits", "name: more", 1) + strings.ReplaceAll(bound(deny), "limits", "more"), create, "limited"},
		{"only audits", policy(`auditAnnotations: [{key: a, valueExpression: "'a'"}]`) + bound(deny), create, "open: Policy has no validations, so it denies nothing"},
		{"no actions", policy(packages) + bound("validationActions: []"), create, "open: PolicyBinding does not deny: its validationActions are empty"},
		{"no policy", bound(deny + ", matchResources: {resourceRules: [{" + olm + "operations: ['*'], resources: ['*']}]}"), create, "open: PolicyBinding references the policy limits, which is not in the repository"},
		{"a binding for something else", bound(deny), create, "open"},
		{"another resource", all, admission.Attempt{Operation: "CREATE", Group: create.Group, Resource: "clustercatalogs"}, "open: Policy matches only clusterextensions"},
		{"another operation", rules(olm+"operations: [CREATE], resources: [clusterextensions]", "") + bound(deny), admission.Attempt{Operation: "UPDATE", Group: create.Group, Resource: "clusterextensions"}, "open: Policy matches only CREATE"},
		{"subresources", rules(olm+"operations: ['*'], resources: [clusterextensions/status]", "") + bound(deny), create, "open: Policy matches only clusterextensions/status"},
		{"with subresources", rules(olm+"operations: ['*'], resources: [clusterextensions/*]", "") + bound(deny), create, "limited"},
		{"everything", rules("apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*']", "") + bound(deny), create, "limited"},
		{"an old version", rules("apiGroups: [olm.operatorframework.io], apiVersions: [v1alpha1], operations: ['*'], resources: ['*']", "") + bound(deny), create, "unknown: Policy matches only version v1alpha1, and it is unknown whether the cluster serves that"},
		{"namespaced objects", rules(olm+"operations: ['*'], resources: ['*'], scope: Namespaced", "") + bound(deny), create, "open: Policy matches only *"},
		{"one name", rules(olm+"operations: ['*'], resources: ['*'], resourceNames: [harbor]", "") + bound(deny), create, "open: Policy matches only objects named harbor"},
		{"the same name", rules(olm+"operations: ['*'], resources: ['*'], resourceNames: [harbor]", "") + bound(deny), admission.Attempt{Operation: "UPDATE", Group: create.Group, Resource: "clusterextensions", Name: "harbor"}, "limited"},
		{"excluded", rules(olm+"operations: ['*'], resources: ['*']", ", excludeResourceRules: [{"+olm+"operations: [CREATE], resources: [clusterextensions], resourceNames: [x]}]") + bound(deny), create, "open: Policy excludes them (excludeResourceRules)"},
		{"excluded in the binding", rules(olm+"operations: ['*'], resources: ['*']", ", excludeResourceRules: [{"+olm+"operations: [DELETE], resources: [clusterextensions]}]") + bound(deny), create, "limited"},
		{"labels", rules(olm+"operations: ['*'], resources: ['*']", ", objectSelector: {matchLabels: {team: a}}") + bound(deny), create, "open: Policy excludes objects by their labels (objectSelector), which their author chooses"},
		{"namespaces are ignored", rules(olm+"operations: ['*'], resources: ['*']", ", namespaceSelector: {matchLabels: {team: a}}") + bound(deny), create, "limited"},
		{"a binding for less", policy(packages) + bound(deny+", matchResources: {resourceRules: [{"+olm+"operations: [UPDATE], resources: ['*']}]}"), create, "open: PolicyBinding matches only UPDATE"},
		{"a binding by labels", policy(packages) + bound(deny+", matchResources: {objectSelector: {matchExpressions: [{key: a, operator: Exists}]}}"), create, "open: PolicyBinding excludes objects by their labels (objectSelector), which their author chooses"},
		{"no validations", policy("validations: []") + bound(deny), create, "open: Policy has no validations, so it denies nothing"},
		{"broken", strings.Replace(all, "resources: [clusterextensions]", "resources: clusterextensions", 1), create, "unknown: Policy has a field of the wrong type in its spec"},
		{"invalid, for another group", strings.Replace(strings.Replace(all, "olm.operatorframework.io", "apps", 1), "resources: [clusterextensions]", "resources: 1", 1), create, "open"},
		{"for another group", strings.Replace(all, "olm.operatorframework.io", "apps", 1), create, "open"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, judged(t, test.text, developers, test.attempt)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestExpressions(t *testing.T) {
	t.Parallel()
	const excludes, depends = "open: Policy excludes ", "unknown: Policy has a match condition, c, that depends on more than the user"
	const fails = "unknown: Policy has a match condition, c, that cannot be evaluated here"
	tests := []struct {
		name, policy string
		subject      rbac.Subject
		want         string
	}{
		{"the group", when("'developers' in request.userInfo.groups"), developers, "limited"},
		{"another group", when("'testers' in request.userInfo.groups"), developers, excludes + "Group developers (match condition c)"},
		{"any of some groups", when("request.userInfo.groups.exists(g, g in ['testers', 'developers'])"), developers, "limited"},
		{"not administrators", when("!('system:masters' in request.userInfo.groups)"), developers, "limited"},
		{"a user among groups", when("'developers' in request.userInfo.groups"), ada, excludes + "User ada (match condition c)"},
		{"exempts another user", when("request.userInfo.username != 'system:serviceaccount:olmv1-system:operator-controller-controller-manager'"), developers, "limited"},
		{"exempts the user", when("request.userInfo.username != 'system:serviceaccount:tools:deployer'"), deployer, excludes + "ServiceAccount tools/deployer (match condition c)"},
		{"exempts accounts", when("!request.userInfo.username.startsWith('system:serviceaccount:')"), deployer, excludes + "ServiceAccount tools/deployer (match condition c)"},
		{"exempts accounts, not people", when("!request.userInfo.username.startsWith('system:serviceaccount:')"), ada, "limited"},
		{"accounts of a namespace", when("request.userInfo.username.startsWith('system:serviceaccount:tools:')"), rbac.Subject{Kind: rbac.KindGroup, Name: "system:serviceaccounts:tools"}, "limited"},
		{"all authenticated", when("'system:authenticated' in request.userInfo.groups"), ada, "limited"},
		{"not anonymous", when("'system:authenticated' in request.userInfo.groups"), rbac.Subject{Kind: rbac.KindGroup, Name: "system:unauthenticated"}, excludes + "Group system:unauthenticated (match condition c)"},
		{"depends on the object", when("object.spec.namespace.startsWith('dev-')"), developers, depends},
		{"true whatever the object", when("has(object.spec) || true"), developers, "limited"},
		{"false whatever the object", when("has(object.spec) && false"), developers, excludes + "Group developers (match condition c)"},
		{"the operation", when("request.operation == 'UPDATE'"), developers, excludes + "Group developers (match condition c)"},
		{"no old object", when("oldObject == null"), developers, "limited"},
		{"no namespace", when("has(request.namespace) || has(request.subResource)"), developers, excludes + "Group developers (match condition c)"},
		{"a missing namespace", when("request.namespace == ''"), developers, fails},
		{"names of members", when("request.userInfo.username.startsWith('a')"), developers, "unknown: Policy distinguishes members of Group developers by name"},
		{"names of members, by a group", when("request.userInfo.username.startsWith('a')"), rbac.Subject{Kind: rbac.KindGroup, Name: "system:unauthenticated"}, excludes + "Group system:unauthenticated (match condition c)"},
		{"the resource", when("request.resource.resource == 'clusterextensions' && request.kind.kind == 'ClusterExtension'"), developers, "limited"},
		{"the authorizer", when("!authorizer.group('*').resource('*').check('*').allowed()"), developers, "limited"},
		{"the authorizer allows", when("!authorizer.group('').resource('harbors').check('approve').allowed()"), developers, excludes + "Group developers (match condition c)"},
		{"the authorizer for another", when("authorizer.serviceAccount('a', 'b').group('').resource('x').check('get').allowed()"), developers, fails},
		{"the authorizer does not know", when("!authorizer.group('').resource('unheard').check('get').allowed()"), developers, fails},
		{"the authorizer about the object", when("authorizer.requestResource.check('approve').allowed()"), developers, depends},
		{"extra of the user", when("'x' in request.userInfo.extra"), developers, depends},
		{"an unknown function", when("ip('1.2.3.4').family() == 4"), developers, fails},
		{"endless", when("[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f, [1,2,3,4,5,6,7,8,9].all(g, a+b+c+d+e+f+g > 0)))))))"), developers, fails},
		{"a missing field", when("request.user == 'ada'"), developers, fails},
		{"a missing name", when("user == 'ada'"), developers, "unknown: Policy cannot be evaluated: match condition c is refused by the API server: unknown name or wrong type"},
		{"parameters that are not declared", validates("params == null"), developers, "unknown: Policy cannot be evaluated: validation 1 is refused by the API server: unknown name or wrong type"},
		{"neither true nor false", validates("'developers'"), developers, "unknown: Policy cannot be evaluated: validation 1 is refused by the API server: unknown name or wrong type"},
		{"a validation that fails", validates("1 / 0 == 1"), developers, "unknown: Policy cannot be evaluated here: validation 1 fails, or uses an unknown function"},
		{"a validation with an unknown function", validates("ip('1.2.3.4').family() == 4"), developers, "unknown: Policy cannot be evaluated here: validation 1 fails, or uses an unknown function"},
		{"an unknown function of the object", validates("object.spec.namespace.find('^dev-') != ''"), developers, "limited"},
		{"a variable with an unknown function", policy(`variables: [{name: v, expression: "ip('1.2.3.4').family()"}], validations: [{expression: "variables.v == 4"}]`), developers, "unknown: Policy cannot be evaluated here: validation 1 fails, or uses an unknown function"},
		{"a variable that is not used", policy(`variables: [{name: v, expression: "ip('1.2.3.4').family()"}], validations: [{expression: "object.spec.namespace == 'a'"}]`), developers, "limited"},
		{"a missing variable", validates("variables.v == 4"), developers, "unknown: Policy cannot be evaluated: validation 1 is refused by the API server: unknown name or wrong type"},
		{"perhaps neither true nor false", validates("object.spec.limited"), developers, "unknown: Policy cannot be evaluated: validation 1 is refused by the API server: unknown name or wrong type"},
		{"a variable that is true or false", policy(`variables: [{name: v, expression: "object.spec.namespace == 'a'"}], validations: [{expression: "variables.v"}]`), developers, "limited"},
		{"a templated name", when("'developers' in request.userInfo.groups"), rbac.Subject{Kind: rbac.KindGroup, Name: "${TEAM}"}, "unknown: Policy excludes Group ${TEAM} (match condition c), but its name contains placeholders"},
		{"the same name", when("'${TEAM}' in request.userInfo.groups"), rbac.Subject{Kind: rbac.KindGroup, Name: "${TEAM}"}, "limited"},
		{"not an expression", when("("), developers, "unknown: Policy cannot be evaluated: match condition c is not a valid expression"},
		{"a validation that is true", validates("true"), developers, "open: Policy has validations that are true for Group developers with any object"},
		{"a validation that is false", validates("false"), developers, "limited"},
		{"a validation for others", validates("!('testers' in request.userInfo.groups) || object.spec.namespace == 'a'"), developers, "open: Policy has validations that are true for Group developers with any object"},
		{"a validation for it", validates("!('developers' in request.userInfo.groups) || object.spec.namespace == 'a'"), developers, "limited"},
		{"there is an object", validates("null != object"), developers, "open: Policy has validations that are true for Group developers with any object"},
		{"only what there was before", validates("oldObject == null || object.spec.namespace == oldObject.spec.namespace"), developers, "open: Policy has validations that are true for Group developers with any object"},
		{"only what is new", validates("oldObject != null || object.spec.namespace == 'a'"), developers, "limited"},
		{"variables", policy(`variables: [{name: own, expression: "'developers' in request.userInfo.groups"}, {name: ns, expression: object.spec.namespace}], validations: [{expression: "!variables.own || variables.ns == 'a'"}]`), developers, "limited"},
		{"variables of others", policy(`variables: [{name: own, expression: "'testers' in request.userInfo.groups"}, {name: ns, expression: object.spec.namespace}], validations: [{expression: "!variables.own || variables.ns == 'a'"}]`), developers, "open: Policy has validations that are true for Group developers with any object"},
		{"failures are allowed", policy(packages + ", failurePolicy: Ignore"), developers, "unknown: Policy allows every object for which an expression fails (failurePolicy: Ignore), and it is unknown whether there are any"},
		{"nothing is allowed", policy(`validations: [{expression: "false"}], failurePolicy: Ignore`), developers, "limited"},
		{"false takes precedence over unknown", policy(packages + `, matchConditions: [{name: a, expression: has(object.spec)}, {name: b, expression: "false"}]`), developers, excludes + "Group developers (match condition b)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, judged(t, test.policy+bound(deny), test.subject, create)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestUpdates checks that it is known whether there was an object before, although its content is unknown.
func TestUpdates(t *testing.T) {
	t.Parallel()
	update := admission.Attempt{Operation: "UPDATE", Group: create.Group, Resource: create.Resource}
	for validation, want := range map[string]string{
		"oldObject != null || object.spec.namespace == 'a'":                            "open: Policy has validations that are true for Group developers with any object",
		"oldObject == null || object.spec.namespace == oldObject.spec.namespace":       "limited",
		"oldObject == null ? true : object.spec.namespace == oldObject.spec.namespace": "limited",
		"has(oldObject.spec)": "limited",
	} {
		if got := judged(t, validates(validation)+bound(deny), developers, update); got != want {
			t.Errorf("%s: %s, want %s", validation, got, want)
		}
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	params := policy("paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression: \"params == null || object.spec.namespace in params.data\"}]")
	for name, test := range map[string]struct{ ref, want string }{
		"given":           {"paramRef: {name: a, namespace: b, parameterNotFoundAction: Deny}", "limited"},
		"missing":         {"validationActions: [Deny]", "open: Policy has validations that are true for Group developers with any object"},
		"allowed without": {"paramRef: {name: a, namespace: b, parameterNotFoundAction: Allow}", "unknown: Policy allows everything if its parameters do not exist (parameterNotFoundAction: Allow), and it is unknown whether they do"},
	} {
		text := bound(deny + ", " + test.ref)
		if name == "missing" {
			text = bound(test.ref)
		}
		if got := judged(t, params+text, developers, create); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

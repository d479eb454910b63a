package admission_test

import (
	"fmt"
	"strings"
	"testing"

	k8sadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/admission"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// bound is a policy for ClusterExtensions, with what it matches besides, its conditions and validations, and a binding.
func bound(match, spec, binding string) string {
	return "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n" +
		"  matchConstraints: {resourceRules: [{apiGroups: [olm.operatorframework.io], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [clusterextensions]}]" + match + "}\n" +
		"  " + spec + "\n---\n" +
		"apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b}\nspec: {policyName: p, validationActions: [Deny]" + binding + "}\n"
}

const onlyLoki = `validations: [{expression: "object.spec.source.catalog.packageName == 'loki'"}]`

func when(condition string) string {
	return bound("", onlyLoki+"\n  matchConditions: [{name: c, expression: "+quoted(condition)+"}]", "")
}

func says(validation string) string {
	return bound("", "validations: [{expression: "+quoted(validation)+"}]", "")
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// policies are those of others, in the ways in which people write them.
var policies = []string{
	bound("", onlyLoki, ""),
	bound(", namespaceSelector: {matchLabels: {a: b}}", onlyLoki, ""),
	bound(", objectSelector: {matchLabels: {a: b}}", onlyLoki, ""),
	bound(", excludeResourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*']}]", onlyLoki, ""),
	bound(", excludeResourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: [DELETE], resources: ['*']}]", onlyLoki, ""),
	bound("", onlyLoki, ", matchResources: {resourceRules: [{apiGroups: [olm.operatorframework.io], apiVersions: ['*'], operations: ['*'], resources: ['clusterextensions/*']}]}"),
	bound("", onlyLoki, ", matchResources: {resourceRules: [{apiGroups: [olm.operatorframework.io], apiVersions: ['*'], operations: ['*'], resources: ['*/status']}]}"),
	bound("", onlyLoki, ", matchResources: {resourceRules: [{apiGroups: [olm.operatorframework.io], apiVersions: ['*'], operations: ['*'], resources: ['*'], scope: Namespaced}]}"),
	strings.Replace(bound("", onlyLoki, ""), "[Deny]", "[Warn, Audit]", 1),
	when("'developers' in request.userInfo.groups"),
	when("!('developers' in request.userInfo.groups)"),
	when("request.userInfo.groups.exists(g, g.startsWith('dev'))"),
	when("request.userInfo.username.startsWith('system:serviceaccount:')"),
	when("request.userInfo.username != 'system:serviceaccount:tools:deployer'"),
	when("request.userInfo.username.matches('^system:serviceaccount:tools:.*$') || request.userInfo.groups.exists_one(g, g == 'developers')"),
	when("request.operation == 'CREATE' && oldObject == null"),
	when("!has(request.namespace) && !has(request.subResource) && namespaceObject == null"),
	when("request.resource.group == 'olm.operatorframework.io' && request.kind.kind == 'ClusterExtension' && request.requestResource.version == 'v1'"),
	when("!authorizer.group('*').resource('*').check('*').allowed()"),
	when("authorizer.group('').resource('nodes').check('delete').allowed()"),
	when("sets.contains(request.userInfo.groups, ['developers'])"),
	when("request.userInfo.groups.size() > 1 && has(request.userInfo.username)"),
	when("has(object.spec) || true"),
	says("true"),
	says("false"),
	says("'testers' in request.userInfo.groups ? object.spec.namespace == 'a' : true"),
	says("!('developers' in request.userInfo.groups) || object.spec.namespace == 'a'"),
	bound("", "variables: [{name: limited, expression: \"request.userInfo.groups.exists(g, g == 'developers')\"}]\n  validations: [{expression: \"!variables.limited || object.spec.namespace == 'a'\"}]", ""),
}

var subjects = map[rbac.Subject]user.Info{
	{Kind: rbac.KindGroup, Name: "developers"}:                            &user.DefaultInfo{Name: "zoe", Groups: []string{"developers", "system:authenticated"}},
	{Kind: rbac.KindGroup, Name: "testers"}:                               &user.DefaultInfo{Name: "zoe", Groups: []string{"testers", "system:authenticated"}},
	{Kind: rbac.KindUser, Name: "ada"}:                                    &user.DefaultInfo{Name: "ada", Groups: []string{"system:authenticated"}},
	{Kind: rbac.KindServiceAccount, Namespace: "tools", Name: "deployer"}: &user.DefaultInfo{Name: "system:serviceaccount:tools:deployer", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:tools", "system:authenticated"}},
	{Kind: rbac.KindGroup, Name: "system:serviceaccounts:tools"}:          &user.DefaultInfo{Name: "system:serviceaccount:tools:zoe", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:tools", "system:authenticated"}},
}

// TestVerdicts holds what salint says of a subject beside what the plugin decides for many objects: a subject that is not
// limited may write all of them, and one that is may not write some.
func TestVerdicts(t *testing.T) {
	known := 0
	for i, text := range policies {
		p, set := start(t, text), admission.New(objectsIn(t, text))
		for subject, who := range subjects {
			verdict := set.Judge(admission.RequesterOf(subject, func(rbac.Request) (allowed, known bool) { return false, true }), admission.Attempt{
				Operation: "CREATE", Group: "olm.operatorframework.io", Resource: "clusterextensions",
			})
			refused := ""
			for what, spec := range outside {
				if err := p.write(who, k8sadmission.Create, "clusterextensions", extension(t, spec)); err != nil {
					refused = what
				}
			}
			if verdict.State != admission.Unknown {
				known++
			}
			if (verdict.State == admission.Open) == (refused != "") && verdict.State != admission.Unknown {
				t.Errorf("policy %d, %v: salint says %s %v, refused is %q\n%s", i, subject, verdict.State, reasons(verdict), refused, text)
			}
		}
	}
	if all := len(policies) * len(subjects); known < all {
		t.Errorf("only %d of %d are known", known, all)
	}
}

func reasons(v admission.Verdict) (texts []string) {
	for _, r := range v.Reasons {
		texts = append(texts, fmt.Sprint(r.Object.Kind, " ", r.Text))
	}
	return texts
}

func objectsIn(t *testing.T, text string) (all []*objects.Object) {
	t.Helper()
	for _, doc := range manifest.Scan("a.yaml", []byte(text)).Docs {
		if err := doc.Parse(); err != nil {
			t.Fatal(err)
		}
		all = append(all, objects.Objects(doc)...)
	}
	return all
}

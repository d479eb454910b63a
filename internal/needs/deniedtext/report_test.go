package deniedtext_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/deniedtext"
)

// told describes a report: each permission as `user | namespace | group/resource name verb`.
type told struct {
	Users, Missing, Owners, Admission, Unresolved, Unread []string
	Truncated                                             bool
}

func tell(r deniedtext.Report) told {
	t := told{Admission: r.Admission, Unresolved: r.Unresolved, Unread: r.Unread, Truncated: r.Truncated}
	for _, o := range r.Owners {
		t.Owners = append(t.Owners, strings.TrimSpace(fmt.Sprintf("%s: %s %s", o.Object, o.Verb, o.Subresource)))
	}
	for _, who := range r.Identities {
		t.Users = append(t.Users, strings.Join(append([]string{who.User}, who.Groups...), " "))
	}
	for _, m := range r.Missing {
		rule := m.Rule
		what := strings.Join(rule.APIGroups, ",") + "/" + strings.Join(rule.Resources, ",")
		if len(rule.NonResourceURLs) > 0 {
			what = strings.Join(rule.NonResourceURLs, ",")
		}
		line := fmt.Sprintf("%s | %s | %s %s %s", m.User, m.Namespace, what, strings.Join(rule.ResourceNames, ","), strings.Join(rule.Verbs, ","))
		if m.Escalation {
			line += " to grant"
		}
		t.Missing = append(t.Missing, strings.ReplaceAll(line, "  ", " "))
	}
	return t
}

const (
	shop    = "system:serviceaccount:shop:till-installer"
	refusal = `configmaps "till-config" is forbidden: User "system:serviceaccount:shop:till-installer" cannot get resource "configmaps" in API group "" in the namespace "shop"`
	listing = "error for resolved bundle \"till.v1.2.0\": pre-authorization failed: service account requires the following permissions to manage cluster extension:\n" +
		"  Namespace:\"\" APIGroups:[apiextensions.k8s.io] Resources:[customresourcedefinitions] ResourceNames:[tills.shop.example.com] Verbs:[get,patch]\n" +
		"  Namespace:\"\" Verbs:[get] NonResourceURLs:[/metrics,/healthz]\n" +
		"  Namespace:\"shop\" APIGroups:[] Resources:[services] Verbs:[create]"
	grant = `clusterroles.rbac.authorization.k8s.io "till" is forbidden: user "system:serviceaccount:shop:till-installer" (groups=["system:serviceaccounts" "system:serviceaccounts:shop"]) is attempting to grant RBAC permissions not currently held:
{APIGroups:["apps"], Resources:["deployments"], Verbs:["get" "list"]}
{NonResourceURLs:["/metrics"], Verbs:["get"]}; resolution errors: [clusterroles.rbac.authorization.k8s.io "auditor" not found]`
)

var (
	refusalTold = told{Users: []string{shop}, Missing: []string{shop + " | shop | /configmaps till-config get"}}
	listingTold = told{Missing: []string{
		` | | apiextensions.k8s.io/customresourcedefinitions tills.shop.example.com get`,
		` | | apiextensions.k8s.io/customresourcedefinitions tills.shop.example.com patch`,
		` | | /healthz get`, ` | | /metrics get`,
		` | shop | /services create`,
	}}
	grantTold = told{
		Users: []string{shop + " system:serviceaccounts system:serviceaccounts:shop"},
		Missing: []string{
			shop + " | | apps/deployments get to grant", shop + " | | apps/deployments list to grant", shop + " | | /metrics get to grant",
		},
		Unresolved: []string{`clusterrole "auditor"`},
	}
)

func TestForms(t *testing.T) {
	user := func(s string) string { return `User "u" ` + s }
	tests := map[string]struct {
		in   string
		want []string
	}{
		"in a namespace": {user(`cannot get resource "pods" in API group "" in the namespace "n"`), []string{"u | n | /pods get"}},
		"in the cluster": {user(`cannot list resource "nodes" in API group "" at the cluster scope`), []string{"u | | /nodes list"}},
		"a subresource":  {`pods "p" is forbidden: ` + user(`cannot create resource "pods/exec" in API group "" in the namespace "n"`), []string{"u | n | /pods/exec p create"}},
		"creation has no name": {`roles.rbac.authorization.k8s.io "r" is forbidden: ` + user(`cannot create resource "roles" in API group "rbac.authorization.k8s.io" in the namespace "n"`),
			[]string{"u | n | rbac.authorization.k8s.io/roles create"}},
		"no name":             {`pods is forbidden: ` + user(`cannot deletecollection resource "pods" in API group "" in the namespace "n"`), []string{"u | n | /pods deletecollection"}},
		"a name with a group": {`issuers.cert-manager.io "i" is forbidden: ` + user(`cannot patch resource "issuers" in API group "cert-manager.io" in the namespace "n"`), []string{"u | n | cert-manager.io/issuers i patch"}},
		"another object's name": {`deployments.apps "d" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ` +
			user(`cannot update resource "tills/finalizers" in API group "shop.example.com" in the namespace "n"`), []string{"u | n | shop.example.com/tills/finalizers update"}},
		"a URL":                {`forbidden: ` + user(`cannot get path "/metrics"`), []string{"u | | /metrics get"}},
		"impersonation":        {`users "olm:clusterextension:till" is forbidden: ` + user(`cannot impersonate resource "users" in API group "" at the cluster scope`), []string{"u | | /users olm:clusterextension:till impersonate"}},
		"before 1.12":          {user(`cannot list deployments.apps in the namespace "n"`), []string{"u | n | apps/deployments list"}},
		"before 1.12, cluster": {user(`cannot list pods at the cluster scope`), []string{"u | | /pods list"}},
		"lists":                {`Namespace:"n" APIGroups:[,apps] Resources:[pods,pods/log] Verbs:[get]`, []string{" | n | /pods get", " | n | /pods/log get", " | n | apps/pods get", " | n | apps/pods/log get"}},
		"everything":           {`Namespace:"" APIGroups:[*] Resources:[*] Verbs:[*]`, []string{" | | */* *"}},
		"a role in a namespace": {`roles.rbac.authorization.k8s.io "r" is forbidden: user "u" (groups=["g"]) is attempting to grant RBAC permissions not currently held:` + "\n" + `{APIGroups:[""], Resources:["pods"], ResourceNames:["p"], Verbs:["get"]}`,
			[]string{"u | ? | /pods p get to grant"}},
		"an aggregated role": {`clusterroles.rbac.authorization.k8s.io "r" is forbidden: must have cluster-admin privileges to use an aggregationRule: user "u" (groups=[]) is attempting to grant RBAC permissions not currently held:` + "\n" +
			`{APIGroups:["*"], Resources:["*"], Verbs:["*"]}` + "\n" + `{NonResourceURLs:["*"], Verbs:["*"]}`,
			[]string{"u | | */* * to grant", "u | | * * to grant"}},
		"joined": {user(`cannot get resource "pods" in API group "" in the namespace "n"`) + "; " + user(`cannot get resource "nodes" in API group "" at the cluster scope`) + " && " + user(`cannot get path "/a"`) + "\n" + user(`cannot get path "/a"`),
			[]string{"u | | /nodes get", "u | | /a get", "u | n | /pods get"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			report, err := deniedtext.Parse([]byte(test.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, tell(report).Missing); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(report.Unread) > 0 || report.Truncated {
				t.Errorf("unread: %q, truncated: %v", report.Unread, report.Truncated)
			}
		})
	}
}

// TestWrappings reads the same messages in all formats that contain them.
func TestWrappings(t *testing.T) {
	messages := map[string]struct {
		text string
		want told
	}{"refusal": {refusal, refusalTold}, "listing": {listing, listingTold}, "grant": {grant, grantTold}}
	quoted := func(s string) string { return fmt.Sprintf("%q", s) }
	indent := func(s, by string) string { return strings.ReplaceAll(s, "\n", "\n"+by) }
	wrappings := map[string]func(string) string{
		"as it is": func(s string) string { return s },
		"CRLF":     func(s string) string { return "one\r\n" + strings.ReplaceAll(s, "\n", "\r\n") + "\r\n" },
		"twice":    func(s string) string { return s + "\n" + s },
		"a log":    func(s string) string { return `E1121 "Reconciler error" err=` + quoted(s) + ` name="till"` + "\n" },
		"a log in JSON": func(s string) string {
			return `{"level":"error","msg":"Reconciler error","error":` + quoted(s) + "}\n{\"level\":\"info\",\"msg\":\"done\"}\n"
		},
		"a log in JSON between others": func(s string) string {
			return "starting: a: b\n" + `{"level":"error","error":` + quoted(s) + "}\ndone\n"
		},
		"quoted twice": func(s string) string { return "err=" + quoted("failed: "+quoted(s)) },
		"kubectl -o json": func(s string) string {
			return "{\n    \"kind\": \"ClusterExtension\",\n    \"status\": {\n\t\"conditions\": [{\"reason\": \"Forbidden\", \"message\": " + quoted(s) + "}]}}\n"
		},
		"kubectl -o yaml, literal": func(s string) string {
			return "kind: ClusterExtension\nstatus:\n  conditions:\n  - message: |-\n      " + indent(s, "      ") + "\n    reason: Retrying\n"
		},
		"kubectl -o yaml, folded": func(s string) string {
			return "status:\n  conditions:\n  - message: >-\n      " + indent(strings.ReplaceAll(s, "\n", "\n\n"), "      ") + "\n    reason: Retrying\n"
		},
		"kubectl -o yaml, single quotes": func(s string) string {
			return "status:\n  message: '" + indent(strings.ReplaceAll(strings.ReplaceAll(s, "'", "''"), "\n", "\n\n"), "    ") + "'\n"
		},
		"kubectl -o yaml, double quotes": func(s string) string { return "status:\n  message: " + folded(s) + "\n" },
		"a part of it that is no YAML":   func(s string) string { return "  status:\n message: " + folded(s) + "\n- [x\n" },
		"kubectl describe": func(s string) string {
			return "Name:         till\nNamespace:    \nStatus:\n  Conditions:\n    Message:               " + s + "\n    Reason:                Forbidden\n"
		},
		"a terminal with colours": func(s string) string { return "\x1b[31mError:\x1b[0m " + s },
		"a margin":                func(s string) string { return strings.ReplaceAll(s, " ", "\n    ") },
		"kubectl's own error":     func(s string) string { return "Error from server (Forbidden): " + s },
		"UTF-16":                  utf16,
	}
	for wrapping, wrap := range wrappings {
		for message, test := range messages {
			t.Run(wrapping+"/"+message, func(t *testing.T) {
				in := wrap(test.text)
				report, err := deniedtext.Parse([]byte(in))
				if err != nil {
					t.Fatalf("%v\n%s", err, in)
				}
				if diff := cmp.Diff(test.want, tell(report)); diff != "" {
					t.Errorf("-want +got:\n%s\n%s", diff, in)
				}
			})
		}
	}
}

// folded is a double-quoted YAML string with lines broken as libyaml does.
func folded(s string) string {
	encoded, _ := json.Marshal(s)
	return strings.ReplaceAll(string(encoded), " cannot ", " cannot\\\n    \\ ")
}

func utf16(s string) string {
	out := []byte{0xff, 0xfe}
	for _, r := range s {
		out = append(out, byte(r), 0)
	}
	return string(out)
}

// The example in the enhancement proposal is a log that was wrapped between a backslash and its quote.
func TestWrappedAtTheQuote(t *testing.T) {
	in := `12:00:00 helm.go:1] "Error" err="cannot continue: ` + strings.ReplaceAll(refusal, `"`, `\"`) + `" name="till"`
	in = strings.Replace(in, `namespace \"shop`, "namespace \\\n\"shop", 1)
	report, err := deniedtext.Parse([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(refusalTold, tell(report)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestCut truncates messages at every byte: the result never contains a permission that is not in the whole text.
func TestCut(t *testing.T) {
	for _, text := range []string{refusal, listing, grant, `err="` + strings.ReplaceAll(refusal, `"`, `\"`) + `"`} {
		whole := map[string]bool{}
		report, err := deniedtext.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range tell(report).Missing {
			whole[m] = true
		}
		for length := range len(text) {
			report, err := deniedtext.Parse([]byte(text[:length] + "\n\n... [message truncated]"))
			if err != nil || !report.Truncated {
				t.Errorf("%q: %v, truncated %v", text[:length], err, report.Truncated)
			}
			for _, m := range tell(report).Missing {
				if !whole[m] {
					t.Errorf("%q: invented %s", text[:length], m)
				}
			}
		}
	}
}

func TestUnread(t *testing.T) {
	tests := map[string]struct {
		in   string
		want told
	}{
		"the rest of a cut-off list": {listing + "\n  Namespace:\"shop\" APIGroups:[apps] Resources:[depl\n\n... [message truncated]",
			told{Missing: listingTold.Missing, Unread: []string{`Namespace:"shop" APIGroups:[apps] Resources:[depl`}, Truncated: true}},
		"cut off without a marker": {refusal + "\n" + refusal[:150],
			told{Users: refusalTold.Users, Missing: refusalTold.Missing, Unread: []string{refusal[:150]}, Truncated: true}},
		"half a rule of a grant": {grant[:strings.Index(grant, "/metrics")],
			told{Users: grantTold.Users, Missing: grantTold.Missing[:2], Unread: []string{`{NonResourceURLs:["`}, Truncated: true}},
		"a quota": {`pods "p" is forbidden: exceeded quota: small && ` + refusal,
			told{Users: refusalTold.Users, Missing: refusalTold.Missing, Admission: []string{`pods "p" is forbidden: exceeded quota: small`}}},
		"the owner": {`deployments.apps "d" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>`,
			told{Owners: []string{`deployments.apps "d": update finalizers`}}},
		"the owner, in a log": {`err="deployments.apps \"d\" is forbidden: cannot set an ownerRef on a resource you can't delete: RBAC: role.rbac.authorization.k8s.io \"x\" not found, <nil>" name="d"`,
			told{Owners: []string{`deployments.apps "d": delete`}, Unresolved: []string{`role "x"`}}},
		"pod security": {`Error creating: pods "p-1" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false`,
			told{Admission: []string{`Error creating: pods "p-1" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false`}}},
		"a broken introduction": {"error for resolved bundle \"till\" with version\n  \"1.0.0\": pre-authorization failed: service account requires the following\n  permissions to manage cluster extension:\n" +
			`Namespace:"n" APIGroups:[] Resources:[pods] Verbs:[get]`, told{Missing: []string{" | n | /pods get"}}},
		"other words":              {"the server said: Access denied\x1b[2J for you", told{Unread: []string{"the server said: Access denied for you"}}},
		"other words in an object": {"status:\n  message: not authorized\nspec:\n  note: x\n  text: not authorized to x\n", told{Unread: []string{"not authorized"}}},
		"roles that were not found": {listing + "\nauthorization evaluation error: missing rules may be incomplete: failed to resolve or evaluate permissions: roles.rbac.authorization.k8s.io \"keeper\" not found",
			told{Missing: listingTold.Missing, Unresolved: []string{`role "keeper"`}}},
		"a scope that was not known": {listing + "\nauthorization evaluation error: no matches for kind \"Till\"",
			told{Missing: listingTold.Missing, Unread: []string{`authorization evaluation error: no matches for kind "Till"`}}},
		"a name that is none":   {`User "u" cannot get resource "po ds" in API group "" in the namespace "n"`, told{Unread: []string{`User "u" cannot get resource "po ds" in API group "" in the namespace "n"`}}},
		"no verbs":              {`Namespace:"n" APIGroups:[] Resources:[pods]` + "\nmore", told{Unread: []string{`Namespace:"n" APIGroups:[] Resources:[pods]`}}},
		"text in a user's name": {`User "a\" cannot get path \"/x" cannot get path "/y"`, told{Users: []string{`a" cannot get path "/x`}, Missing: []string{`a" cannot get path "/x | | /y get`}}},
		"a Secret is not shown": {"kind: List\nitems:\n- kind: Secret\n  stringData: {message: 'forbidden: hunter2'}\n- status: {message: access denied}\n", told{Unread: []string{"access denied"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			report, err := deniedtext.Parse([]byte(test.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, tell(report)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestNothing(t *testing.T) {
	for _, in := range []string{"", "\n", "all is well", "kind: ClusterExtension\nspec: {namespace: shop}\n", `Namespace:"x", Name:"y"`, `User "u" logged in`} {
		if report, err := deniedtext.Parse([]byte(in)); !errors.Is(err, deniedtext.ErrNothing) {
			t.Errorf("%q: %v, %+v", in, err, report)
		}
	}
	if _, err := deniedtext.Parse(make([]byte, deniedtext.MaxSize+1)); err == nil {
		t.Error("no error for a text that is too long")
	}
}

func TestInNamespace(t *testing.T) {
	report, err := deniedtext.Parse([]byte(`roles.rbac.authorization.k8s.io "r" is forbidden: user "u" (groups=[]) is attempting to grant RBAC permissions not currently held: {APIGroups:[""], Resources:["pods"], Verbs:["get"]}` + "\n" + refusal))
	if err != nil {
		t.Fatal(err)
	}
	var before, after []string
	for i, m := range report.InNamespace("till") {
		before, after = append(before, report.Missing[i].Namespace), append(after, m.Namespace)
	}
	if want := []string{rbac.UnknownNamespace, "shop"}; !slices.Equal(before, want) {
		t.Errorf("the text has the namespaces %q, want %q", before, want)
	}
	if want := []string{"till", "shop"}; !slices.Equal(after, want) {
		t.Errorf("namespaces %q, want %q", after, want)
	}
}

// TestHostile contains input for which naive readers need quadratic time, which would be minutes.
func TestHostile(t *testing.T) {
	for _, piece := range []string{
		`User "`, `Namespace:"" APIGroups:[`, `user "u" (groups=["`, `User \"`, `User "u" cannot `, `\\`, "forbidden: ", `{APIGroups:["`, refusal + "; ",
		`pods "p" is forbidden: quota; `, "a: [", "[", "- ", "{\"a\":", "\\\n",
		`ClusterExtension "u" is invalid: spec.serviceAccount: `, "spec.serviceAccount is deprecated, ignored, and will be removed in a future release ",
		`user "u" (groups=[]) is attempting to grant RBAC permissions not currently held: {Verbs:["x"]}`,
	} {
		_, _ = deniedtext.Parse([]byte(strings.Repeat(piece, deniedtext.MaxSize/len(piece)/16)))
	}
}

func TestExtensions(t *testing.T) {
	t.Parallel()
	object := "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {name: till}\n" +
		"spec: {namespace: shop, serviceAccount: {name: installer}}\nstatus: {conditions: [{message: 'access denied'}]}\n"
	for name, text := range map[string]string{
		"object": object,
		"list":   "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(object), "\n", "\n  "),
	} {
		report, err := deniedtext.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Extensions) != 1 {
			t.Fatalf("%s: %d extensions", name, len(report.Extensions))
		}
		e := report.Extensions[0]
		if e.Name != "till" || e.Namespace != "shop" || e.Account.Name != "installer" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

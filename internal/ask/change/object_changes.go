package change

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change/gains"
	"github.com/salint/salint/internal/ask/change/grafana"
	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/ask/change/matching"
	"github.com/salint/salint/internal/ask/change/packages"
	"github.com/salint/salint/internal/ask/change/policies"
	"github.com/salint/salint/internal/ask/change/unread"
	"github.com/salint/salint/internal/ask/escalation"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/controlled"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/flux"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
)

// ObjectChange is an object that gives power which no role or binding of the repository shows, such as a webhook or a token Secret.
type ObjectChange struct {
	Kind, Namespace, Name string
	// Rule is the rule of the finding, which includes the class.
	Rule     string
	Severity finding.Severity
	// Text is a sentence without a full stop, and Advice says what to check.
	Text, Advice string
	Place        objects.Position
	Units        []string
}

// Sentence returns the text.
func (o ObjectChange) Sentence() string { return o.Text }

// In names the units, after a comma; it returns "" for the plain files alone.
func (o ObjectChange) In() string {
	if units := UnitsText(o.Units); units != "" {
		return "," + units
	}
	return ""
}

// ObjectKinds returns the kinds of further objects that are compared. More are kinds with pods that the configuration adds. A Secret that is not of a token is not read. A Namespace is read
// in any case, because it can have lost its level of Pod Security.
func ObjectKinds(more ...objects.PodSpecKind) map[string][]string {
	kinds := map[string][]string{
		"MutatingAdmissionPolicy": nil, "MutatingAdmissionPolicyBinding": nil,
		"Secret": {"kubernetes.io/service-account"}, "Namespace": nil, "ConfigMap": {awsAuth, argoSettings, "argocd-rbac-cm", "extension-apiserver-authentication"},
		"AppProject": nil, "ClusterCatalog": nil, "ClusterObjectSet": nil,
		unread.KindInputProvider: nil, unread.KindGenerator: nil, grafana.Kind: nil,
	}
	maps.Copy(kinds, rbac.AuthorizationKinds())
	for _, workload := range slices.Concat(objects.Workloads(), more) {
		kinds[workload.Kind] = nil
	}
	for _, namer := range danger.AccountNamers() {
		kinds[namer.Kind] = nil
	}
	return loader.Kinds(flux.Kinds(), kinds, controlled.Kinds(), policies.ChangingKinds())
}

// objectComparison compares the objects of the two states of a unit.
type objectComparison struct {
	before, after *gains.State
	found         []ObjectChange
	// later is the later state of the repository.
	later Side
	// chains are the identities of which a change or another object reports that they can now become cluster-admin.
	chains newChains
	// reaches are the searches for ways to cluster-admin in the later state, by the folder of plain files.
	reaches map[string]*escalation.Reach
	// granted are the subjects to which controllers grant something that is worth a warning.
	granted map[rbac.Subject]bool
	// taken are the parameters of policies; nil until they are read.
	taken *policies.Parameters
}

// compareObjects compares the objects of a unit. Only the selected ones count.
func compareObjects(before, after *gains.State, earlier, later Side, chains newChains) *objectComparison {
	c := &objectComparison{before: before, after: after, later: later, chains: chains, reaches: map[string]*escalation.Reach{}, granted: map[rbac.Subject]bool{}}
	pairs, removed := matching.Objects(appliedOf(before.Unit), appliedOf(after.Unit))
	for _, o := range removed {
		if !earlier.selectsObject(before.Unit, o) {
			continue
		}
		if o.Group == "" && o.Kind == "ConfigMap" && o.Name == argoSettings {
			c.settings(o, nil)
		}
		c.parameters(o, nil)
		c.unmutated(o)
	}
	for _, m := range pairs {
		if later.selectsObject(after.Unit, m.Now) {
			c.compare(m.Then, m.Now)
		}
	}
	c.aggregations()
	return c
}

// appliedOf returns the objects of a unit without those that its applications leave out: an object that they begin to apply is new, and one that they no
// longer apply stays as it was.
func appliedOf(u *objects.Unit) []*objects.Object {
	return slices.DeleteFunc(slices.Clone(u.Objects), func(o *objects.Object) bool {
		_, is := u.Withheld(o)
		return is
	})
}

func (c *objectComparison) add(o *objects.Object, rule string, severity finding.Severity, text, advice string) {
	units := c.after.Names(o)
	if !slices.Contains(c.after.Unit.Objects, o) {
		units = c.before.Names(o)
	}
	c.found = append(c.found, ObjectChange{
		Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Rule: rule, Severity: severity,
		Text: text, Advice: advice, Place: o.Position(nil), Units: units,
	})
}

func (c *objectComparison) compare(then, now *objects.Object) {
	if rbac.AllowsEverything(now) && (then == nil || !rbac.AllowsEverything(then)) {
		c.add(now, ruleOf(danger.ClusterAdmin), finding.Error, rbac.AlwaysAllowText(now), "Use the modes Node and RBAC.")
	}
	if rbac.EvaluatesNoRoles(now) && (then == nil || !rbac.EvaluatesNoRoles(then)) {
		c.add(now, ruleOf(danger.Other), finding.Warning, rbac.NoRolesText(now), "Use the modes Node and RBAC.")
	}
	c.weakened(then, now)
	c.parameters(then, now)
	c.addExemptions(now, policies.ObjectExemptions(c.after.Unit.Objects, then, now))
	switch {
	case now.Group == policies.Group:
		c.admission(then, now)
	case now.Group == "" && now.Kind == "Secret":
		c.token(then, now)
	case now.Group == "" && now.Kind == "Namespace":
		c.namespace(then, now)
		c.exempted(then, now)
	case now.Group == "" && now.Kind == "ConfigMap" && now.Name == awsAuth:
		c.awsUsers(then, now)
	case controlled.MapsAWS(now):
		c.awsIdentity(then, now)
	case now.Group == "" && now.Kind == "ConfigMap" && now.Name == argoSettings:
		c.settings(then, now)
	case now.Group == argoGroup && now.Kind == "AppProject":
		c.project(then, now)
	case controlled.IsConstraints(now):
		c.constraints(then, now)
	case grafana.IsAccount(now):
		if text, severity, raised := grafana.Raised(then, now); raised {
			c.add(now, ruleOf(danger.Other), severity, text, "Check who can read the Secrets of its tokens.")
		}
	case isFlux(now):
		c.flux(then, now)
	case now.Group == olm.APIGroup:
		c.packages(then, now)
	default:
		c.pods(then, now)
		c.named(then, now)
		c.token(then, now)
		c.grants(then, now)
	}
}

// packages reports what OLM is told to install instead. Where it ignores accounts, it acts as cluster-admin, so that another package or catalog can do
// everything; elsewhere the account limits it.
func (c *objectComparison) packages(then, now *objects.Object) {
	severity := finding.Note
	if model := c.later.Repository.Targets.Of(c.after.Unit, now).Target.Model; model == olm.Ignored || model == olm.Removed {
		severity = finding.Warning
	}
	for _, change := range packages.Compare(then, now) {
		if change.IsUpdate {
			c.add(now, extensionRule, finding.Note, nameText(now)+" "+change.Text, "Check what it installs.")
			continue
		}
		c.add(now, extensionRule, severity, nameText(now)+" "+change.Text, "Check what it installs.")
	}
}

func nameText(o *objects.Object) string {
	if o.Name == "" && o.Namespace != "" { // with generateName
		return o.Kind + " in namespace " + o.Namespace
	}
	if o.Namespace != "" {
		return o.Kind + " " + o.Namespace + "/" + o.Name
	}
	return strings.TrimSpace(o.Kind + " " + o.Name)
}

// admission reports new webhooks and mutations, and changed mutations. The other changed objects of the group are among the policies.
func (c *objectComparison) admission(then, now *objects.Object) {
	const advice = "Check who controls it."
	changes := then != nil && !reflect.DeepEqual(jsonfield.Content(then), jsonfield.Content(now))
	switch {
	case now.Kind == "MutatingWebhookConfiguration" && then == nil:
		c.add(now, ruleOf(danger.Admission), finding.Warning, fmt.Sprintf("%s is new: %s can read and change what the API server admits", nameText(now), servers(now)), advice)
	case now.Kind == "ValidatingWebhookConfiguration" && then == nil:
		c.add(now, ruleOf(danger.Admission), finding.Warning, fmt.Sprintf("%s is new: %s can read and reject what the API server admits", nameText(now), servers(now)), advice)
	case strings.HasPrefix(now.Kind, "MutatingAdmissionPolicy") && then == nil:
		c.add(now, ruleOf(danger.Admission), finding.Warning, nameText(now)+" is new: it can change what the API server admits", "Check what it changes.")
	case strings.HasPrefix(now.Kind, "MutatingAdmissionPolicy") && changes:
		c.add(now, ruleOf(danger.Admission), finding.Warning, nameText(now)+" is changed: it can change what the API server admits", "Check what it changes.")
	}
}

// servers names the servers of the webhooks of an object.
func servers(o *objects.Object) string {
	var names []string
	for _, webhook := range jsonfield.List(jsonfield.At(o, "webhooks")) {
		fields, _ := webhook.(map[string]any)
		client, _ := fields["clientConfig"].(map[string]any)
		name := jsonfield.Text(client["url"])
		if service, ok := client["service"].(map[string]any); ok {
			name = "Service " + jsonfield.Text(service["namespace"]) + "/" + jsonfield.Text(service["name"])
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "its server"
	}
	return some(names)
}

// token reports a new Secret with a token of a powerful account, or one for another account than before.
func (c *objectComparison) token(then, now *objects.Object) {
	account, ok := tokenOf(now)
	if !ok || then != nil && accountIn(then) == account {
		return
	}
	if power := c.powerOf(account, now.File); power != "" {
		c.add(now, ruleOf(danger.Secrets), finding.Warning, fmt.Sprintf("%s requests a token without expiry of ServiceAccount %s/%s, which %s",
			nameText(now), account.Namespace, account.Name, power), "Use tokens that expire.")
	}
}

func tokenOf(o *objects.Object) (account objects.Account, ok bool) {
	for _, ref := range objects.AccountReferences(o) {
		if ref.What == objects.TokenSecret {
			return ref.Account, true
		}
	}
	return controlled.Token(o)
}

func accountIn(o *objects.Object) objects.Account {
	account, _ := tokenOf(o)
	return account
}

// mergedObjects joins what is the same in several units, and sorts it: the gravest first.
func mergedObjects(all []ObjectChange) []ObjectChange {
	type key struct{ rule, text string }
	at := map[key]int{}
	var merged []ObjectChange
	for _, o := range all {
		k := key{o.Rule, o.Text}
		if i, known := at[k]; known {
			merged[i].Units = append(merged[i].Units, o.Units...)
			continue
		}
		at[k] = len(merged)
		merged = append(merged, o)
	}
	for i := range merged {
		slices.Sort(merged[i].Units)
		merged[i].Units = slices.Compact(merged[i].Units)
	}
	slices.SortStableFunc(merged, func(a, b ObjectChange) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), compareText(a.Rule, b.Rule, a.Kind, b.Kind, a.Namespace, b.Namespace, a.Name, b.Name, a.Text, b.Text))
	})
	return merged
}

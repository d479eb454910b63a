package change

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/assemble/gitops"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/controlled"
	"github.com/salint/salint/internal/kube/danger"
	"github.com/salint/salint/internal/kube/objects"
)

// podSecurity is the prefix of the labels with which Pod Security limits the pods of a namespace.
const podSecurity = "pod-security.kubernetes.io"

// levels are the levels of Pod Security, the weakest first. Without a label, the configuration of the API server decides; its default is
// privileged.
//
// Source: https://kubernetes.io/docs/concepts/security/pod-security-standards/.
var levels = []string{"privileged", "baseline", "restricted"}

// namespace reports a weaker level of Pod Security.
func (c *objectComparison) namespace(then, now *objects.Object) {
	if then == nil {
		return
	}
	what := weaker(levelOf(then), levelOf(now))
	if what == "" && levelOf(then) == levelOf(now) && levelOf(now) != levels[0] {
		what = older(then, now)
	}
	if what != "" {
		c.add(now, policyRule, finding.Warning, nameText(now)+" "+what, checkPods)
	}
}

const checkPods = "Check which pods it admits."

// weaker says that a level of Pod Security is weaker than the one before; "" if it is not.
func weaker(before, after string) string {
	switch {
	case slices.Index(levels, before) <= slices.Index(levels, after):
		return ""
	case after == "":
		return fmt.Sprintf("no longer enforces the level %s of Pod Security, so that of the API server applies, by default privileged", before)
	}
	return fmt.Sprintf("enforces the level %s of Pod Security, and no longer %s", after, before)
}

// older says that the level of a namespace is that of an older version of Kubernetes than before, which forbids less; "" if it is not. Without the label,
// the configuration of the API server decides; its default is latest.
func older(then, now *objects.Object) string {
	before, after := levelVersion(then), levelVersion(now)
	if levelOf(now) == "" || after < 0 || before >= 0 && before <= after {
		return ""
	}
	return fmt.Sprintf("enforces the level %s of Pod Security as of Kubernetes 1.%d, and no longer a later one", levelOf(now), after)
}

// levelVersion returns the minor version of Kubernetes whose levels a namespace enforces; -1 for the latest one.
func levelVersion(o *objects.Object) int {
	text, _ := strings.CutPrefix(jsonfield.Text(jsonfield.At(o, "metadata", "labels", podSecurity+"/enforce-version")), "v1.")
	if minor, err := strconv.Atoi(text); err == nil {
		return minor
	}
	return -1
}

// managedNamespaces reports weaker levels of Pod Security that Applications set on the namespaces of their destinations. Argo CD also sets them
// on a namespace that exists, unless the Application has its manifest.
//
// Source: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#namespace-metadata.
func (c *comparison) managedNamespaces() (all []ObjectChange) {
	before, after := applicationsOf(c.before), applicationsOf(c.after)
	for _, name := range sortedApplications(after) {
		now := after[name]
		then, known := earlierApplication(name, before, after)
		if now == nil || known && then == nil || !c.after.Selected(name.file) || now.Target.Value == "" {
			continue
		}
		was, is := "", managedLevel(now)
		if then != nil && then.Target.Value == now.Target.Value {
			was = managedLevel(then)
		}
		if was == is {
			continue
		}
		what := weaker(cmp.Or(was, c.before.levelOf(now.Target.Value)), cmp.Or(is, c.after.levelOf(now.Target.Value)))
		if what == "" {
			continue
		}
		all = append(all, ObjectChange{
			Kind: "Application", Namespace: name.namespace, Name: name.name, Rule: policyRule, Severity: finding.Warning,
			Text: fmt.Sprintf("Namespace %s, whose labels Application %s sets, %s", now.Target.Value, strings.TrimPrefix(name.namespace+"/"+name.name, "/"), what), Advice: checkPods, Place: now.Object.Position(nil),
		})
	}
	return all
}

// managedLevel returns the level of Pod Security that an Application sets on its namespace.
func managedLevel(a *gitops.Application) string {
	for _, label := range a.NamespaceLabels {
		if label.Key == podSecurity+"/enforce" {
			return label.Value.Value
		}
	}
	return ""
}

// levelOf returns the weakest level of Pod Security in the manifests of a namespace; "" if there is none.
func (s Side) levelOf(namespace string) string {
	level := ""
	for _, u := range s.Repository.Units {
		for _, o := range u.Objects {
			if o.Group != "" || o.Kind != "Namespace" || o.Name != namespace {
				continue
			}
			if found := levelOf(o); level == "" || weaker(level, found) != "" && found != "" {
				level = found
			}
		}
	}
	return level
}

func levelOf(o *objects.Object) string {
	return jsonfield.Text(jsonfield.At(o, "metadata", "labels", podSecurity+"/enforce"))
}

// awsAuth is the ConfigMap that maps identities of AWS to users and groups of an EKS cluster.
//
// Source: https://docs.aws.amazon.com/eks/latest/userguide/auth-configmap.html.
const awsAuth = "aws-auth"

// awsUsers reports changed users and groups of an EKS cluster.
func (c *objectComparison) awsUsers(then, now *objects.Object) {
	masters := func(o *objects.Object) int {
		n := 0
		for _, key := range []string{"mapRoles", "mapUsers"} {
			n += strings.Count(jsonfield.Text(jsonfield.At(o, "data", key)), "system:masters")
		}
		return n
	}
	before := 0
	if then != nil {
		before = masters(then)
	}
	switch {
	case masters(now) > before:
		c.add(now, ruleOf(danger.ClusterAdmin), finding.Error, nameText(now)+" adds identities of AWS to the group system:masters, which is allowed everything", "Check who they are.")
	case then == nil || !reflect.DeepEqual(jsonfield.Content(then), jsonfield.Content(now)):
		c.add(now, ruleOf(danger.Other), finding.Warning, nameText(now)+" is changed: it maps identities of AWS to users and groups, which is not compared", "Check who they are.")
	}
}

// awsIdentity reports an object that maps an identity of AWS, which no binding shows.
func (c *objectComparison) awsIdentity(then, now *objects.Object) {
	switch {
	case controlled.MakesAWSAdministrator(now) && (then == nil || !controlled.MakesAWSAdministrator(then)):
		c.add(now, ruleOf(danger.ClusterAdmin), finding.Error, nameText(now)+" makes an identity of AWS a cluster-admin", "Check who it is.")
	case then == nil || !reflect.DeepEqual(jsonfield.Content(then), jsonfield.Content(now)):
		c.add(now, ruleOf(danger.Other), finding.Note, nameText(now)+" maps an identity of AWS to groups or policies, which are not compared", "Check who it is.")
	}
}

package change

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/change/jsonfield"
	"github.com/salint/salint/internal/config/finding"
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
	before, after := levelOf(then), levelOf(now)
	if slices.Index(levels, before) <= slices.Index(levels, after) {
		return
	}
	what := fmt.Sprintf("%s enforces the level %s of Pod Security, and no longer %s", nameText(now), after, before)
	if after == "" {
		what = fmt.Sprintf("%s no longer enforces the level %s of Pod Security, so that of the API server applies, by default privileged", nameText(now), before)
	}
	c.add(now, policyRule, finding.Warning, what, "Check which pods it admits.")
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

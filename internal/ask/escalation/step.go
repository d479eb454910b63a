package escalation

import (
	"github.com/salint/salint/internal/base/words"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Kind is the kind of a step.
type Kind string

// The kinds of steps.
const (
	// Admin is every verb on every resource.
	Admin Kind = "cluster-admin"
	// Bind gives the holder a role that it does not have.
	Bind Kind = "bind"
	// Escalate adds permissions to a role that the holder has.
	Escalate Kind = "escalate"
	// Impersonate acts as another identity.
	Impersonate Kind = "impersonate"
	// Token requests a token of an account.
	Token Kind = "token"
	// Secret reads a token Secret.
	Secret Kind = "secret"
	// Pod runs a container as an account.
	Pod Kind = "pod"
	// Exec uses a running pod.
	Exec Kind = "exec"
	// Extension lets OLM install something.
	Extension Kind = "extension"
	// Install lets a GitOps tool or OLM v0 install something.
	Install Kind = "install"
	// Webhook changes or reads what the API server admits.
	Webhook Kind = "webhook"
	// Certificate issues a client certificate.
	Certificate Kind = "certificate"
	// Node reaches the kubelets.
	Node Kind = "node"
)

// Step is what an identity does to become another.
type Step struct {
	Kind Kind
	// Text says what the holder does. If As is true, the identity that it becomes follows the text.
	Text string
	As   bool
	// InPod is true if the step needs a running pod of the identity.
	InPod bool
	// Grants are the bindings and rules that allow it. A grant without a binding is a rule of the role that the step before gives.
	Grants []access.Grant
	// Known is a remark about a step for which no grant is in the repository, or what it assumes about the cluster.
	Known string
}

// Chain is the shortest way of an identity to the goal.
type Chain struct {
	Subject rbac.Subject
	// Links are the first steps of the chain, at most maxLinks, and Steps the number of all.
	Links []Link
	Steps int
}

// maxLinks limits the steps of a chain that are listed, because a repository can have thousands of accounts that each lead to the next. Those that
// follow are in the chain of the last identity.
const maxLinks = 30

// rest says how many steps follow those that are listed; "" if none do.
func (c Chain) rest() string {
	if c.Steps <= len(c.Links) {
		return ""
	}
	return "and " + words.Count(c.Steps-len(c.Links), "more step")
}

// Link is a step in a chain, with the identity that it leads to.
type Link struct {
	Step
	// To is zero if the holder stays the same identity and has more permissions, and for cluster-admin.
	To rbac.Subject
	// Runner is an object whose pods run as the identity, for steps that use a running pod; nil if none is known.
	Runner *objects.Object
}

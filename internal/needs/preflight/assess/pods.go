package assess

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
)

// podAccounts adds notes about the accounts as which pods of the content run, and which it does not create: anyone who creates the pods can act as
// them. An account named default that the repository grants nothing is left out, because each namespace has one.
func (p *assessment) podAccounts(a *answer.Answer, in preflight.Input) {
	for i := range in.Objects {
		o := &in.Objects[i]
		pod := o.PodSpec()
		if pod == nil {
			continue
		}
		namespace, name := cmp.Or(o.Namespace(), in.Namespace), rendered.Account(pod)
		account := rbac.Account(objects.Account{Namespace: namespace, Name: name})
		granted := p.grantedTo(a, account)
		if rendered.Creates(in.Objects, o.Namespace(), name) || account.Identity().User == in.Identity.User || name == "default" && granted == "" {
			continue
		}
		a.OtherAccounts = true
		a.Notes = withNote(a.Notes, fmt.Sprintf("pods of the bundle run as account %s/%s, which it does not create, so that the identity can act as it: the repository grants it %s",
			namespace, name, cmp.Or(granted, "nothing, and what else it holds is not known")))
	}
}

// grantedTo returns the roles that the repository grants an account by its name; "" if there is none.
func (p *assessment) grantedTo(a *answer.Answer, account rbac.Subject) string {
	if a.Unit == nil {
		return ""
	}
	var roles []string
	for _, b := range rbac.BindingsFor(p.scope(a.Unit), a.From, account.Identity()) {
		if b.Via != "" {
			continue
		}
		text := b.Role.Kind + " " + b.Role.Name
		if b.Scope != "" {
			text += " in namespace " + b.Scope
		} else if b.Role.Name == "cluster-admin" {
			text += ", which is a way to cluster-admin"
		}
		roles = append(roles, text)
	}
	slices.Sort(roles)
	roles = slices.Compact(roles)
	const shown = 3
	if more := len(roles) - shown; more > 0 {
		roles = append(roles[:shown], fmt.Sprintf("%d more", more))
	}
	return strings.Join(roles, "; ")
}

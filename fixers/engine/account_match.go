package engine

import (
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// MayMatch reports whether a reference may match an account once all names are filled in.
func MayMatch(written, account objects.Account) bool {
	if rbac.Templated(written.Namespace) {
		written.Namespace = ""
	}
	if rbac.Templated(written.Name) {
		written.Name = account.Name
	}
	return written.Matches(account)
}

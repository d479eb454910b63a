package verify

import (
	"github.com/salint/salint/internal/kube/objects"
)

// pods finds pods that would run with a different account: no fix may change that.
func (e *examiner) pods() {
	before, _ := e.podAccounts(e.before)
	after, order := e.podAccounts(e.after)
	for _, at := range order {
		if account, there := before[at]; there && account != after[at] {
			e.violation(e.touching(at.objectKey), "the pod at %s of %s would run as %s instead of %s", at.path, at.id, after[at], account)
		}
	}
}

// podKey identifies a pod in an object.
type podKey struct {
	objectKey
	path string
}

// podAccounts returns the accounts of the pods in changed files, or of all pods in a built unit, and their keys in the
// order of the unit.
func (e *examiner) podAccounts(u *objects.Unit) (accounts map[podKey]string, order []podKey) {
	accounts = map[podKey]string{}
	copies := map[objectKey]int{}
	for _, o := range u.Objects {
		if !e.changes[o.File] && !u.Built {
			continue
		}
		at := objectKey{file: o.File, id: identityOf(o)}
		copies[at]++
		at.nth = copies[at] - 1
		for _, pod := range objects.PodSpecs(o, e.podSpecs...) {
			at := podKey{at, pod.Path.String()}
			accounts[at], _ = pod.Account()
			order = append(order, at)
		}
	}
	return accounts, order
}

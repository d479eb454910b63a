package verify

import (
	"github.com/salint/salint/internal/kube/objects"
)

// pods finds pods that would run as another account than before: no fix is meant to do that.
func (e *examiner) pods() {
	before, _ := e.podAccounts(e.before)
	after, order := e.podAccounts(e.after)
	for _, at := range order {
		if account, there := before[at]; there && account != after[at] {
			e.fault(e.touching(at.place), "the pod at %s of %s would run as %s, no longer as %s", at.path, at.id, after[at], account)
		}
	}
}

// podPlace is a pod inside an object.
type podPlace struct {
	place
	path string
}

// podAccounts are the accounts of the pods in files that change, in a unit that is built all, and these in the order of the unit.
func (e *examiner) podAccounts(u *objects.Unit) (accounts map[podPlace]string, order []podPlace) {
	accounts = map[podPlace]string{}
	copies := map[place]int{}
	for _, o := range u.Objects {
		if !e.changes[o.File] && !u.Built {
			continue
		}
		at := place{file: o.File, id: identityOf(o)}
		copies[at]++
		at.nth = copies[at] - 1
		for _, pod := range objects.PodSpecs(o, e.podSpecs...) {
			at := podPlace{at, pod.Path.String()}
			accounts[at], _ = pod.Account()
			order = append(order, at)
		}
	}
	return accounts, order
}

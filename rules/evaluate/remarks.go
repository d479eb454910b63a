package evaluate

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/rules/policy"
)

// maxRemarks is how many remarks are kept of a run.
const maxRemarks = 200

// remarks are what the evaluations of the rules of users print, and what fails in them, each text once. It is safe for concurrent use.
type remarks struct {
	mu    sync.Mutex
	known map[policy.Remark]*remarked
	more  int
}

// remarked is the first object of a remark, how many others have it, and the rule.
type remarked struct {
	rule, object string
	others       map[string]bool
}

func (r *remarks) add(rule string, object *objects.Object, list []policy.Remark) {
	if len(list) == 0 {
		return
	}
	name := "the deployment unit"
	if object != nil {
		name = strings.TrimSpace(object.Kind+" "+object.Name) + " (" + object.Position(nil).String() + ")"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known = map[policy.Remark]*remarked{}
	}
	for _, remark := range list {
		known := r.known[remark]
		switch {
		case known == nil && len(r.known) >= maxRemarks:
			r.more++
		case known == nil:
			r.known[remark] = &remarked{rule, name, map[string]bool{}}
		case known.object != name:
			known.others[max(known.object, name)] = true
			known.object = min(known.object, name)
		}
	}
}

// Remarks returns what the evaluations of the rules of users have printed, and which calls of functions failed in them, in the order of
// the policies. There are none unless the registry was loaded with Options.Observe.
func (e *Evaluator) Remarks() []string {
	r := &e.remarks
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for remark, at := range r.known {
		on := at.rule + " on " + at.object
		if n := len(at.others); n > 0 {
			on += " and " + words.CountOf(n, "another object", "other objects")
		}
		all = append(all, fmt.Sprintf("%s (%s)", remark, on))
	}
	slices.Sort(all)
	if r.more > 0 {
		all = append(all, fmt.Sprintf("rules printed %d more lines", r.more))
	}
	return all
}

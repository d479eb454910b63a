package gains

import (
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Judgements caches what is the same for holders of a role that gain the same.
type Judgements struct {
	judge    func(*Gain) Verdict
	verdicts map[judgementKey]Verdict
	parts    map[judgementKey]Contribution
}

// NewJudgements returns a cache of what a function says about gains.
func NewJudgements(judge func(*Gain) Verdict) *Judgements {
	return &Judgements{judge: judge, verdicts: map[judgementKey]Verdict{}, parts: map[judgementKey]Contribution{}}
}

type judgementKey struct {
	difference *Difference
	role       rbac.RoleRef
	object     *objects.Object
	scope      string // as scopeClass returns it
	combined   bool
	forSome    bool
	mapped     string
	audience   audience
	// binding is that of a gain of plain files, which decides about the target.
	binding *objects.Object
}

// Of returns the verdict about a gain, and the rules of its role that allow it.
func (j *Judgements) Of(g *Gain) (Verdict, Contribution) {
	key := judgementKey{difference: g.Difference, role: g.Role, object: g.RoleObject}
	from, known := j.parts[key]
	if !known {
		from = g.Contribution()
		j.parts[key] = from
	}
	key.scope, key.combined, key.forSome, key.audience, key.binding = scopeClass(g.Scope), g.combined, g.actsForSome, audienceOf(g.Who), g.Object
	key.mapped = strings.Join(g.mapped, " ")
	v, known := j.verdicts[key]
	if !known {
		v = j.judge(g)
		j.verdicts[key] = v
	}
	return v, from
}

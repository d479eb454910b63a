package fixers

import (
	"fmt"
	"maps"
	"slices"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// secretFields are those in which a Secret that goes has to be the same for all: what it holds, and for whom.
var secretFields = []manifest.Path{{"type"}, {"data"}, {"stringData"}, {"immutable"}, accountAnnotation}

func (m *tokenMount) removedToken() *removedTokenSecret {
	h := &removedTokenSecret{secret: m.secret, names: m.names, mount: placeKey(m.request.Object.Ref(), m.written.Join("secret", "secretName"))}
	if source := m.secret.Source(); source != nil {
		h.names = append(h.names, source.Name)
	}
	return h
}

func placeKey(ref string, path manifest.Path) string { return ref + "\x00" + path.String() }

// removeTokenSecrets removes the Secrets whose tokens plans take out of pods, where nothing names them but the mounts that go. Plans
// that only together leave nobody who names one need each other. Of a Secret that stays it is said why.
func removeTokenSecrets(w *Work, c *Context) {
	bySecret := map[string][]*Plan{}
	for _, plan := range w.Plans() {
		if plan.RemovedToken != nil {
			ref := plan.RemovedToken.secret.Ref()
			bySecret[ref] = append(bySecret[ref], plan)
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(bySecret)) {
		removeTokenSecret(c, bySecret[ref])
	}
}

func removeTokenSecret(c *Context, plans []*Plan) {
	secret, going := plans[0].RemovedToken.secret, map[string]bool{}
	var names []string
	for _, plan := range plans {
		going[plan.RemovedToken.mount] = true
		names = append(names, plan.RemovedToken.names...)
	}
	slices.Sort(names)
	if why := secretInUse(c, secret, slices.Compact(names), going); why != "" {
		plans[0].addNote("%s stays: %s", identityOf(secret), why)
		return
	}
	for i, plan := range plans {
		plan.Description += ", and remove " + identityOf(plan.RemovedToken.secret).String()
		plan.removeObject(secret, repo.OrderRemoval)
		c.Repo.declareBuiltChange(plan, plan.Changes[len(plan.Changes)-1])
		if len(plans) > 1 {
			plan.Needs = append(plan.Needs, plans[(i+1)%len(plans)]) // and that the next one, up to the first
		}
	}
}

// secretInUse says what keeps a Secret once some mounts are gone; "" when nothing does.
func secretInUse(c *Context, secret *objects.Object, names []string, going map[string]bool) string {
	if err := c.checkEditable(secret, secretFields...); err != nil {
		return err.Error()
	}
	if err := c.checkFullyRead(secret); err != nil {
		return err.Error()
	}
	if key := extraKey(secret); key != "" {
		return fmt.Sprintf("it also holds %q, which is no part of the token", key)
	}
	if c.Lookups.References == nil {
		return "it is not known who else uses it"
	}
	found, err := c.Lookups.References(names)
	if err != nil {
		return err.Error()
	}
	for _, name := range names {
		for _, mention := range found[name] {
			own := mention.Ref == secret.Ref() && mention.Path.String() == "metadata.name"
			if !own && !going[placeKey(mention.Ref, mention.Path)] && !c.Repo.listsFile(mention) {
				return fmt.Sprintf("%s:%d names it", mention.File, mention.Line)
			}
		}
	}
	return ""
}

package pods

import (
	"fmt"
	"maps"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/assemble/uses"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
)

// secretFields are the fields that must be the same in all units before a Secret is removed: its content and its account.
var secretFields = []manifest.Path{{"type"}, {"data"}, {"stringData"}, {"immutable"}, accountAnnotation}

func (m *tokenMount) removedToken() *engine.RemovedTokenSecret {
	h := &engine.RemovedTokenSecret{Secret: m.secret, Names: m.names, Mount: placeKey(m.request.Object.Ref(), m.written.Join("secret", "secretName"))}
	if source := m.secret.Source(); source != nil {
		h.Names = append(h.Names, source.Name)
	}
	return h
}

func placeKey(ref string, path manifest.Path) string { return ref + "\x00" + path.String() }

// RemoveTokenSecrets removes the Secrets of tokens that plans remove from pods, if only the removed mounts name them. Plans
// that remove the last mounts together need each other. If a Secret stays, a note gives the reason.
func RemoveTokenSecrets(w *engine.Work, c *engine.Context) {
	bySecret := map[string][]*engine.Plan{}
	for _, plan := range w.Plans() {
		if plan.RemovedToken != nil {
			ref := plan.RemovedToken.Secret.Ref()
			bySecret[ref] = append(bySecret[ref], plan)
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(bySecret)) {
		removeTokenSecret(c, bySecret[ref])
	}
}

func removeTokenSecret(c *engine.Context, plans []*engine.Plan) {
	secret, removedMounts := plans[0].RemovedToken.Secret, map[string]bool{}
	var names []string
	for _, plan := range plans {
		removedMounts[plan.RemovedToken.Mount] = true
		names = append(names, plan.RemovedToken.Names...)
	}
	slices.Sort(names)
	entries, why := secretInUse(c, secret, slices.Compact(names), removedMounts)
	if why != "" {
		plans[0].AddNote("%s stays: %s", engine.NameOf(secret), why)
		return
	}
	for i, plan := range plans {
		plan.Description += ", and remove " + engine.NameOf(plan.RemovedToken.Secret).String()
		for _, entry := range entries {
			plan.Description += fmt.Sprintf(" and its entry in %s", engine.NameOf(entry.account))
			plan.RemovePath(entry.account, entry.path, commit.OrderOther)
			c.DeclareBuiltChange(plan, plan.Changes[len(plan.Changes)-1])
		}
		plan.RemoveObject(secret, commit.OrderRemoval)
		c.DeclareBuiltChange(plan, plan.Changes[len(plan.Changes)-1])
		if len(plans) > 1 {
			plan.Needs = append(plan.Needs, plans[(i+1)%len(plans)]) // the plans form a ring
		}
	}
}

// listEntry is the entry of a Secret in the list of its account, or the whole list if it is the only one.
type listEntry struct {
	account *objects.Object
	path    manifest.Path
}

// secretInUse returns what still uses a Secret after some mounts are removed; "" if nothing does but the lists of its account, whose
// entries are returned.
func secretInUse(c *engine.Context, secret *objects.Object, names []string, removedMounts map[string]bool) (entries []listEntry, why string) {
	if err := c.CheckEditable(secret, secretFields...); err != nil {
		return nil, err.Error()
	}
	if err := c.CheckFullyRead(secret); err != nil {
		return nil, err.Error()
	}
	if key := extraKey(secret); key != "" {
		return nil, fmt.Sprintf("it also contains %q, which is not part of the token", key)
	}
	found, err := c.Lookups.References(names)
	if err != nil {
		return nil, err.Error()
	}
	for _, name := range names {
		for _, mention := range found[name] {
			own := mention.Ref == secret.Ref() && mention.Path.String() == "metadata.name"
			if own || removedMounts[placeKey(mention.Ref, mention.Path)] || mention.IsEntryIn(c.Repo) {
				continue
			}
			entry, is := entryOfAccount(c, secret, mention)
			if !is {
				return nil, fmt.Sprintf("%s:%d names it", mention.File, mention.Line)
			}
			entries = append(entries, entry)
		}
	}
	return entries, ""
}

// entryOfAccount returns the entry of a Secret at a place, if it is in `secrets` of the account of the Secret. The list says which Secrets
// the pods of the account mount; it mounts none.
func entryOfAccount(c *engine.Context, secret *objects.Object, at uses.Place) (listEntry, bool) {
	account := at.ObjectIn(c.Repo)
	if account == nil || account.Kind != "ServiceAccount" || account.Group != "" || len(at.Path) != 3 || at.Path[0] != "secrets" {
		return listEntry{}, false
	}
	if account.Name != secret.Node.Lookup(accountAnnotation).String() || account.Namespace != secret.Namespace || c.CheckEditable(account, at.Path[:1]) != nil {
		return listEntry{}, false
	}
	path := at.Path[:2]
	if len(objects.Items(account.Node.Get("secrets"))) == 1 {
		path = at.Path[:1]
	}
	return listEntry{account, path.Join()}, true
}

package world

import "strings"

// Identities are those asked about: users, accounts with the groups the API server gives them, and groups alone.
func (w *World) Identities() []Identity {
	identities := []Identity{
		{User: "alice", Groups: []string{"devs", "system:authenticated"}},
		{User: "bob", Groups: []string{"system:authenticated"}},
		{User: "olm:clusterextension:argocd", Groups: []string{"olm:clusterextensions", "system:authenticated"}},
		{User: "system:anonymous", Groups: []string{"system:unauthenticated"}},
		{Groups: []string{w.pick(groups)}},
		{User: w.pick(whoAsks), Groups: w.some(0, 3, groups)},
	}
	for _, namespace := range namespaces {
		identities = append(identities, Account(namespace, w.pick(accountNames)))
	}
	return identities
}

// Account is the identity of a service account.
func Account(namespace, name string) Identity {
	return Identity{
		User:   "system:serviceaccount:" + namespace + ":" + name,
		Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"},
	}
}

// Namespaces are those in which something may be granted, one without anything, and "" for the whole cluster.
func (w *World) Namespaces() []string {
	return append([]string{"", "ns-empty"}, namespaces...)
}

// Requests makes up questions: most about what a rule of the world names, the others about anything.
func (w *World) Requests(n int) []Request {
	requests := make([]Request, n)
	for i := range requests {
		switch {
		case len(w.made) > 0 && !w.Chance(4):
			requests[i] = w.about(w.made[w.random.IntN(len(w.made))])
		case w.Chance(4):
			requests[i] = Request{Verb: w.pick(askedVerbs), Path: w.pick(askedURLs)}
		default:
			requests[i] = Request{
				Verb: w.pick(askedVerbs), Group: w.pick(askedGroups),
				Resource: w.pick(askedResources), Subresource: w.pick(askedSubs),
				Name: w.pick(askedNames), Namespace: w.pick(w.Namespaces()),
			}
		}
	}
	return requests
}

// about asks for something that a rule names, or nearly.
func (w *World) about(rule object) Request {
	verb := w.oneOf(rule, "verbs", askedVerbs)
	if urls := rule.list("nonResourceURLs"); len(urls) > 0 {
		path := w.oneOf(rule, "nonResourceURLs", askedURLs)
		if path == "" { // would be no question about a URL
			path = "/"
		}
		return Request{Verb: verb, Path: path}
	}
	r := Request{
		Verb: verb, Group: w.oneOf(rule, "apiGroups", askedGroups),
		Name: w.oneOf(rule, "resourceNames", askedNames), Namespace: w.pick(w.Namespaces()),
	}
	r.Resource, r.Subresource, _ = strings.Cut(w.oneOf(rule, "resources", askedResources), "/")
	if r.Resource == "*" && !w.Chance(3) {
		r.Resource = w.pick(askedResources)
	}
	return r
}

// oneOf picks from a list of a rule, or by chance, or when there is a wildcard, from other words.
func (w *World) oneOf(rule object, name string, others []string) string {
	list := rule.list(name)
	if len(list) == 0 || w.Chance(8) {
		return w.pick(others)
	}
	if word := w.pick(list); word != "*" || w.Chance(4) {
		return word
	}
	return w.pick(others)
}

// list returns a list of strings of an object, nil when there is none.
func (o object) list(name string) []string {
	for _, f := range o {
		if list, ok := f.value.([]string); ok && f.name == name {
			return list
		}
	}
	return nil
}

// Subjects are all users without their groups, and all groups, that a binding may name.
func (w *World) Subjects() []Identity {
	var subjects []Identity
	for _, user := range whoAsks {
		subjects = append(subjects, Identity{User: user})
	}
	for _, namespace := range namespaces {
		for _, name := range accountNames {
			subjects = append(subjects, Identity{User: Account(namespace, name).User})
		}
	}
	for _, group := range groups {
		subjects = append(subjects, Identity{Groups: []string{group}})
	}
	return subjects
}

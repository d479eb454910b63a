package world

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

// Requests makes up questions.
func (w *World) Requests(n int) []Request {
	requests := make([]Request, n)
	for i := range requests {
		if w.Chance(4) {
			requests[i] = Request{Verb: w.pick(askedVerbs), Path: w.pick(askedURLs)}
			continue
		}
		requests[i] = Request{
			Verb: w.pick(askedVerbs), Group: w.pick(askedGroups),
			Resource: w.pick(askedResources), Subresource: w.pick(askedSubs),
			Name: w.pick(askedNames), Namespace: w.pick(w.Namespaces()),
		}
	}
	return requests
}

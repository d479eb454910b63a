package policyrules

import (
	rbacv1 "k8s.io/api/rbac/v1"
)

// Lists identifies a rule by the places of its lists in memory. Rules are not changed, so two rules with the same places are the same:
// most accounts have the rules of the same few roles. Rules in other places can be the same as well. The places are used again once
// nothing refers to the rule, so a map of Lists keeps the rules, too.
type Lists [5]listPlace

// listPlace is the place of a list.
type listPlace struct {
	first  *string
	length int
}

// ListsOf returns the places of the lists of a rule. Missing and empty lists have the same.
func ListsOf(r rbacv1.PolicyRule) Lists {
	var places Lists
	for i, list := range [...][]string{r.Verbs, r.APIGroups, r.Resources, r.ResourceNames, r.NonResourceURLs} {
		if len(list) > 0 {
			places[i] = listPlace{&list[0], len(list)}
		}
	}
	return places
}

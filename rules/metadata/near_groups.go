package metadata

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/kube/restmap"
)

// namedKinds are the kinds that salint itself names, by kind: their groups.
var namedKinds = sync.OnceValue(func() map[string][]string {
	groups := map[string][]string{}
	for _, key := range WorkloadKeys(nil) {
		kind, group, _ := strings.Cut(key, ".")
		groups[kind] = append(groups[kind], group)
	}
	for _, list := range KindGroups {
		for _, key := range list {
			kind, group, _ := strings.Cut(key, ".")
			groups[kind] = append(groups[kind], group)
		}
	}
	return groups
})

// groupsOf returns the groups in which a kind is known.
func groupsOf(kind string) []string { return slices.Concat(restmap.GroupsOf(kind), namedKinds()[kind]) }

// KindProblem returns what is wrong with a kind in a group, and what is right; "" if nothing is known to be wrong.
func KindProblem(kind, group string) string { return kindProblem(KindKey(kind, group), nil) }

// nearProblem is about a group that looks like that of a known kind, or like a known group, and is none. Other groups of custom resources
// are not known.
func nearProblem(kind, group string) string {
	known := groupsOf(kind)
	if slices.Contains(known, group) {
		return ""
	}
	for _, other := range known {
		if isMeant(group, other) {
			return fmt.Sprintf("%s is in the group %s: write %s", kind, other, KindKey(kind, other))
		}
	}
	if kinds := restmap.KindsIn(group, true); len(kinds) > 0 {
		for _, other := range kinds {
			if nearest.Typo(strings.ToLower(kind), strings.ToLower(other)) {
				return fmt.Sprintf("the group %s has no kind %s: did you mean %s?", group, kind, KindKey(other, group))
			}
		}
		return ""
	}
	for _, other := range restmap.Groups() {
		if nearest.Typo(group, other) || otherEnd(group, other) {
			return fmt.Sprintf("there is no group %s: did you mean %s?", group, KindKey(kind, other))
		}
	}
	return ""
}

// isMeant reports whether a group is a wrong form of that of a kind: with a typing error, another domain at the end, or without a part, or
// with one too many.
func isMeant(group, known string) bool {
	if known == "" {
		return group == "k8s.io" || group == "kubernetes.io"
	}
	long, short := group, known
	if len(group) < len(known) {
		long, short = known, group
	}
	return nearest.Typo(group, known) || otherEnd(group, known) ||
		strings.HasSuffix(long, "."+short) || strings.HasPrefix(long, short+".")
}

// otherEnd reports whether two groups differ only in the last part of their domain.
func otherEnd(a, b string) bool {
	i, j := strings.LastIndexByte(a, '.'), strings.LastIndexByte(b, '.')
	const least = 6 // short names are those of several organizations
	return i >= least && i == j && a != b && a[:i] == b[:j]
}

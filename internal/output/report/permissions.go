package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/permission"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/output/alike"
)

const (
	// shownWho is how many extensions and how many identities are listed without --verbose.
	shownWho = 10
	// shownRules is the same for the differences of each, and shownItems for the lists in them.
	shownRules = 5
	shownItems = 6
)

// permissionLine is a line about permissions.
type permissionLine struct {
	mark mark
	text string
}

type mark string

const (
	heading mark = ""
	gain    mark = "+"
	loss    mark = "-"
	// cut counts the lines that are left out.
	cut mark = "…"
)

// permissionLines describes the effects of fixes on permissions, even if nothing changes. Left-out lines are counted.
func permissionLines(r *permission.Report, p paths, all bool) []permissionLine {
	summary := "Permissions:"
	if !slices.ContainsFunc(r.Extensions, func(x permission.Extension) bool { return !x.Empty() }) && len(r.Identities) == 0 {
		summary = "Permissions: no identity gains or loses anything" + proven(r) + "."
		if n := gainsOf(r).unlimited; n > 0 {
			summary += " " + unlimitedSentence(n)
		}
	}
	lines := []permissionLine{{text: summary}}
	var extensions, unlimited, identities []permissionBlock
	names := occurrences(r.Extensions, func(x permission.Extension) string { return x.Name })
	for _, x := range r.Extensions {
		text := "  " + extensionText(x, proven(r)) + distinctPlace(x.Context, x.File, p, all, names[x.Name])
		extensions = append(extensions, permissionBlock{text, differences(x.Scopes(), x.Context, all)})
	}
	names = occurrences(r.Unlimited, func(u permission.Unlimited) string { return u.Name })
	for _, u := range r.Unlimited {
		text := "  " + u.String() + distinctPlace(u.Context, u.File, p, all, names[u.Name])
		unlimited = append(unlimited, permissionBlock{text, differences(nil, u.Context, all)})
	}
	subjects := occurrences(r.Identities, func(i permission.Identity) rbac.Subject { return i.Subject })
	for _, identity := range r.Identities {
		text := "  " + subjectText(identity.Subject) + placeText(identity.Context, p, all || subjects[identity.Subject] > 1)
		identities = append(identities, permissionBlock{text, differences(identity.Scopes(), identity.Context, all)})
	}
	lines = append(lines, blockLines(extensions, "extensions", all)...)
	lines = append(lines, blockLines(unlimited, "extensions", all)...)
	lines = append(lines, blockLines(identities, "identities", all)...)
	return append(lines, remainingLines(r.Remaining)...)
}

// permissionBlock is what changes for one extension or identity.
type permissionBlock struct {
	text        string
	differences []permissionLine
}

// blockLines returns the lines of blocks. Unless all are wanted, those that differ only in the names of their first line are one, and the last
// of many are counted.
func blockLines(blocks []permissionBlock, of string, all bool) (lines []permissionLine) {
	alikeBlocks := eachAlone(blocks)
	if !all {
		alikeBlocks = joinBlocks(blocks)
	}
	left := len(blocks)
	for i, same := range alikeBlocks {
		if i == shownWho && !all {
			return append(lines, more(left, of))
		}
		left -= len(same)
		text := same[0].text
		if len(same) > 1 {
			text += "; likewise " + words.First(mostLikewise, otherNames(same))
		}
		lines = append(append(lines, permissionLine{text: text}), same[0].differences...)
	}
	return lines
}

// mostLikewise is how many names follow the first of several blocks that are alike.
const mostLikewise = 30

func eachAlone(blocks []permissionBlock) (alone [][]permissionBlock) {
	for _, b := range blocks {
		alone = append(alone, []permissionBlock{b})
	}
	return alone
}

func joinBlocks(blocks []permissionBlock) (joined [][]permissionBlock) {
	places := map[string]int{}
	for _, b := range blocks {
		shape := alike.Shape(b.text) + fmt.Sprint(b.differences)
		i, known := places[shape]
		if !known {
			i = len(joined)
			places[shape] = i
			joined = append(joined, nil)
		}
		joined[i] = append(joined[i], b)
	}
	return joined
}

// otherNames returns, for each block after the first, the first name that differs.
func otherNames(blocks []permissionBlock) (names []string) {
	for _, b := range blocks[1:] {
		names = append(names, alike.Name(blocks[0].text, b.text))
	}
	return names
}

// remainingLines names what stays on a cluster, with the commands that delete it.
func remainingLines(remaining []permission.Remaining) (lines []permissionLine) {
	for _, m := range remaining {
		stay := "stay, with their permissions: %s. Delete them there:"
		if len(m.Objects) == 1 {
			stay = "stays, with its permissions: %s. Delete it there:"
		}
		lines = append(lines, permissionLine{text: fmt.Sprintf("  On the cluster of %s, %s "+stay, m.Unit, words.And(m.Objects), m.Why)})
		for _, command := range m.Commands {
			lines = append(lines, permissionLine{text: "    " + command})
		}
	}
	return lines
}

// occurrences counts names: what occurs several times is distinguished by its place.
func occurrences[E any, N comparable](list []E, name func(E) N) map[N]int {
	count := map[N]int{}
	for _, e := range list {
		count[name(e)]++
	}
	return count
}

func more(n int, of string) permissionLine {
	return permissionLine{cut, fmt.Sprintf("  and %d more %s", n, of)}
}

// proven limits a sentence about permissions to what was built, if something else reads the changed files as well.
func proven(r *permission.Report) string {
	if len(r.ReadElsewhere) == 0 {
		return ""
	}
	return " in the units that salint builds"
}

// extensionText says as which identity OLM acts for an extension. Where limits the assurance that this changes nothing.
func extensionText(x permission.Extension, where string) string {
	text := fmt.Sprintf("ClusterExtension %s: OLM still acts as %s", x.Name, subjectText(x.To))
	switch {
	case x.From == rbac.Subject{}:
		text = fmt.Sprintf("ClusterExtension %s: %s; OLM will act as %s", x.Name, noAccount, subjectText(x.To))
		if !x.Empty() {
			text += ", which can:"
		}
		return text
	case x.From != x.To:
		text = fmt.Sprintf("ClusterExtension %s: OLM acted as %s and will act as %s", x.Name, subjectText(x.From), subjectText(x.To))
	}
	if x.Empty() {
		return text + ", with the same permissions" + where
	}
	return text + ", with other permissions"
}

// roleText names a role whose rules are not all known.
func roleText(role rbac.RoleRef) string {
	return role.Kind + " " + role.Name + ", whose rules are not all known"
}

// noAccount replaces the previous identity of an extension if it is unknown.
const noAccount = "no account was named"

func subjectText(s rbac.Subject) string {
	switch {
	case s == rbac.Subject{}:
		return noAccount
	case s.Namespace != "":
		return s.Kind + " " + s.Namespace + "/" + s.Name
	}
	return s.Kind + " " + s.Name
}

// distinctPlace returns the units of a difference of an extension if all places are wanted or several extensions have its name. Without
// units, its file then distinguishes it.
func distinctPlace(c permission.Context, file string, p paths, all bool, namesakes int) string {
	where := placeText(c, p, all || namesakes > 1)
	if where == "" && namesakes > 1 {
		return " (in " + p.rel(file) + ")"
	}
	return where
}

// placeText returns the units in which a difference was found.
func placeText(c permission.Context, p paths, wanted bool) string {
	if !wanted || len(c.Kustomizations)+len(c.Units) == 0 {
		return ""
	}
	places := slices.Clone(c.Units)
	if len(c.Kustomizations) > 0 {
		places = append([]string{"kustomization " + strings.Join(folders(c.Kustomizations, p), ", ")}, places...)
	}
	return " (in " + strings.Join(places, ", ") + ")"
}

// differences returns the lines below an extension or identity.
func differences(scopes []permission.Scope, c permission.Context, all bool) []permissionLine {
	shown := shownItems
	if all {
		shown = 0
	}
	var lines []permissionLine
	for _, s := range scopes {
		where := scopeText(s.Namespace) + ": "
		for _, part := range []struct {
			mark
			permission.Side
		}{{gain, s.Gained()}, {loss, s.Lost()}} {
			for _, role := range part.Roles {
				lines = append(lines, permissionLine{part.mark, where + roleText(role)})
			}
			for _, rules := range permission.RuleTexts(part.Rules, shown) {
				lines = append(lines, permissionLine{part.mark, where + rules})
			}
		}
	}
	if n := len(lines) - shownRules; n > 0 && !all {
		lines = append(lines[:shownRules], permissionLine{cut, "    and " + words.Count(n, "more difference")})
	}
	if all {
		for _, why := range c.Why {
			lines = append(lines, permissionLine{text: "    because of: " + why})
		}
	}
	return lines
}

// permissions prints the effects of the run's fixes on permissions.
func (t *text) permissions(r *permission.Report) {
	if r == nil || !r.Made {
		return
	}
	for _, line := range permissionLines(r, t.paths, t.o.Verbose) {
		switch line.mark {
		case gain:
			fmt.Fprintf(t.w, "    %s %s\n", t.paint(green, "+"), safetext.Text(line.text))
		case loss:
			fmt.Fprintf(t.w, "    %s %s\n", t.paint(red, "-"), safetext.Text(line.text))
		case cut:
			fmt.Fprintf(t.w, "%s (--verbose lists all)\n", safetext.Text(line.text))
		case heading:
			fmt.Fprintln(t.w, safetext.Text(line.text))
		}
	}
	fmt.Fprintln(t.w)
}

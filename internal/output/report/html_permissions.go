package report

import (
	"fmt"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/permission"
)

// How many differences of an identity are shown at once, and in total.
const (
	cardLines   = 6
	cardAllLine = 80
)

// htmlPermissions are the changed permissions of extensions and identities.
type htmlPermissions struct {
	Class, Verdict, Scope string
	Cards                 []htmlCard
	Left                  string
}

// htmlCard is an extension or an identity.
type htmlCard struct {
	Title, Where, From, To, Same string
	Scopes                       []htmlScope
	Folded                       *htmlFolded // what is shown on a click
	Cut                          bool
	Why                          []string
}

type htmlFolded struct {
	Title  string
	Scopes []htmlScope
}

// htmlScope is a namespace, or the whole cluster, with what is gained and lost there.
type htmlScope struct {
	Where string
	Lines []htmlGain
}

type htmlGain struct{ Class, Sign, Word, Verbs, On, Role string }

// htmlPermissionsOf returns nil if no fixes were verified.
func htmlPermissionsOf(r *finding.Result, p paths) *htmlPermissions {
	if r.Permissions == nil {
		return nil
	}
	all := gainsOf(r.Permissions)
	out := &htmlPermissions{Class: "good", Verdict: all.sentence(), Scope: "This compares what the bindings in the repository, as applied, grant to each identity before and after."}
	if !all.none() || all.unlimited > 0 {
		out.Class = "warn"
	}
	if !r.Fixing && !r.Preview {
		out.Scope = "This would be the effect of the safe fixes."
	}
	for _, x := range r.Permissions.Extensions {
		card := htmlCard{Title: "ClusterExtension " + safetext.Text(x.Name), From: safetext.Text(subjectText(x.From)), To: safetext.Text(subjectText(x.To))}
		if x.Empty() {
			card.Same = "OLM keeps exactly the same permissions for it" + proven(r.Permissions) + "."
		}
		out.add(card, x.Scopes(), x.Context, p)
	}
	for _, u := range r.Permissions.Unlimited {
		out.add(htmlCard{Title: "ClusterExtension " + safetext.Text(u.Name), Same: safetext.Text(u.Sentence())}, nil, u.Context, p)
	}
	for _, i := range r.Permissions.Identities {
		out.add(htmlCard{Title: safetext.Text(subjectText(i.Subject))}, i.Scopes(), i.Context, p)
	}
	if left := len(out.Cards) - pageCards; left > 0 {
		out.Cards = out.Cards[:pageCards]
		out.Left = fmt.Sprintf("%s are not shown: --format json lists all.", words.Count(left, "more identity card"))
	}
	return out
}

func (h *htmlPermissions) add(card htmlCard, scopes []permission.Scope, c permission.Context, p paths) {
	if where := placeText(c, p, true); where != "" {
		card.Where = safetext.Text(where[2 : len(where)-1]) // without the parentheses
	}
	card.Why = c.Why
	all := htmlScopes(scopes)
	total := linesOf(all)
	card.Scopes, all = cutScopes(all, cardLines)
	folded, left := cutScopes(all, cardAllLine)
	card.Cut = len(left) > 0
	if len(folded) > 0 {
		card.Folded = &htmlFolded{fmt.Sprintf("%d more", total-cardLines), folded}
	}
	h.Cards = append(h.Cards, card)
}

func linesOf(scopes []htmlScope) int {
	n := 0
	for _, s := range scopes {
		n += len(s.Lines)
	}
	return n
}

// cutScopes returns the first lines and the rest.
func cutScopes(scopes []htmlScope, most int) (head, rest []htmlScope) {
	for i, s := range scopes {
		if len(s.Lines) > most {
			if most > 0 {
				head = append(head, htmlScope{s.Where, s.Lines[:most]})
			}
			return head, append([]htmlScope{{s.Where, s.Lines[most:]}}, scopes[i+1:]...)
		}
		most -= len(s.Lines)
		head = append(head, s)
	}
	return head, nil
}

func htmlScopes(scopes []permission.Scope) []htmlScope {
	var out []htmlScope
	for _, s := range scopes {
		lines := append(htmlGains("loss", "−", "loses", s.Lost()), htmlGains("gain", "+", "gains", s.Gained())...)
		out = append(out, htmlScope{scopeText(s.Namespace), lines})
	}
	return out
}

func htmlGains(class, sign, word string, side permission.Side) []htmlGain {
	var lines []htmlGain
	for _, role := range side.Roles {
		lines = append(lines, htmlGain{class, sign, word, "", "", safetext.Text(roleText(role))})
	}
	for _, rule := range permission.RuleLines(side.Rules, 0) {
		lines = append(lines, htmlGain{class, sign, word, safetext.Text(rule.Verbs), safetext.Text(rule.On), ""})
	}
	return lines
}

// scopeText names the scope of a difference.
func scopeText(namespace string) string { return safetext.Text(permission.ScopeText(namespace)) }

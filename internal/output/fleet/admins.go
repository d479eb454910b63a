package fleet

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
)

// grants are the grants of cluster-admin that a report has.
type grants struct {
	day   string
	found []fingerprint
}

func (g *grants) add(f *readFinding) {
	if key, ok := fingerprintOf(f.Fingerprint); ok && !f.applied() && slices.Contains(adminRules, f.Rule) {
		g.found = append(g.found, key)
	}
}

// sinceDays are the days since when sets of reports have grants of cluster-admin, by repository.
type sinceDays map[string]map[fingerprint]string

// then returns the days after a later set. A repository without a report in the set, or with one that cannot be read, keeps what is known of
// it.
func (d sinceDays) then(reports []source, all []grants, failures []error) sinceDays {
	now := sinceDays{}
	for i, s := range reports {
		if failures[i] != nil {
			continue
		}
		if now[s.Repository] == nil {
			now[s.Repository] = map[fingerprint]string{}
		}
		for _, key := range all[i].found {
			now[s.Repository][key] = cmp.Or(d[s.Repository][key], all[i].day)
		}
	}
	for name, known := range d {
		if now[name] == nil {
			now[name] = known
		}
	}
	return now
}

// sinceOf says since when the reports have the first of the grants of a subject; "" without earlier reports.
func (f *Fleet) sinceOf(g adminGroup) string {
	if !f.Compared {
		return ""
	}
	first := ""
	for _, a := range g.Admins {
		if first == "" || a.Since != "" && a.Since < first {
			first = a.Since
		}
	}
	return ", since " + cmp.Or(first, "an unknown day")
}

// Unlisted is why grants of cluster-admin in a repository can be missing in a list of them.
type Unlisted struct{ Repository, Why string }

// Unlisted returns the repositories whose reports can lack grants of cluster-admin, although the runs read all that they were asked for.
func (f *Fleet) Unlisted() []Unlisted {
	var all []Unlisted
	for _, r := range f.Repositories {
		if why := r.unlisted(); why != "" {
			all = append(all, Unlisted{r.Name, why})
		}
	}
	return slices.Compact(all)
}

func (r *Repository) unlisted() string {
	left := r.leftOut()
	off := slices.DeleteFunc(slices.Clone(adminRules), func(rule string) bool { return !slices.Contains(left.RulesOff, rule) })
	var why []string
	switch {
	case r.Untold() != "":
		why = append(why, r.Untold())
	case r.Partial():
		why = append(why, "the run was limited to "+r.selection().String())
	}
	if len(off) == 1 {
		why = append(why, off[0]+" is off")
	} else if len(off) > 1 {
		why = append(why, words.And(off)+" are off")
	}
	if n := left.Known + left.Ignored; n > 0 {
		why = append(why, words.CountOf(n, "finding is", "findings are")+" silenced")
	}
	return strings.Join(why, "; ")
}

func (f *Fleet) textUnlisted(w io.Writer) {
	unlisted := f.Unlisted()
	if len(unlisted) == 0 {
		return
	}
	fmt.Fprintf(w, "\nGrants of cluster-admin can be missing in the reports of (%d):\n", len(unlisted))
	for _, u := range unlisted[:min(len(unlisted), textAdmins)] {
		fmt.Fprintf(w, "  %s: %s\n", safetext.Text(u.Repository), safetext.Text(u.Why))
	}
	if more := len(unlisted) - textAdmins; more > 0 {
		fmt.Fprintf(w, "  %d more: --format json lists all\n", more)
	}
}

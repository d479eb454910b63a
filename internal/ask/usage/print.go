package usage

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/salint/salint/internal/ask/access"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// Printer writes answers.
type Printer struct{ access.Printer }

// maxLines limits the lists in a text. JSON lists all.
const maxLines = 20

// Text writes, for each subject, whether it can be deleted on the first line, and then the places.
func (p Printer) Text(w io.Writer, a Answer) error {
	var b strings.Builder
	for i, s := range a.Subjects {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(safetext.Text(p.verdict(a, s)) + "\n")
		p.list(&b, "used by:", s.with(Needs))
		p.list(&b, "may use it:", s.with(May))
		p.list(&b, "to delete or change with it:", s.with(Belongs))
		p.accounts(&b, s)
	}
	b.WriteString(p.Doubts(a.Doubts, "unknown, and could use it:"))
	_, err := io.WriteString(w, b.String())
	return err
}

// verdict returns whether a subject can be deleted, and why.
func (p Printer) verdict(a Answer, s Subject) string {
	needs, may := len(s.with(Needs)), len(s.with(May))
	switch {
	case needs > 0:
		return fmt.Sprintf("no: %s %s", words.CountOf(needs, "place uses", "places use"), p.name(s))
	case s.isMissing():
		return "unknown: the repository neither contains nor names " + p.name(s)
	case may > 0:
		return fmt.Sprintf("unknown: nothing is known to use %s, and %s may", p.name(s), words.Count(may, "place"))
	case a.deletable(s) == Unknown:
		return "unknown: nothing is known to use " + p.name(s) + ", but not everything was read"
	}
	return "yes: nothing in the repository uses " + p.name(s)
}

// name returns the kind and name of a subject, with the first place that creates it.
func (p Printer) name(s Subject) string {
	name := s.Kind + " " + s.Name
	if s.Namespace != "" {
		name = s.Kind + " " + s.Namespace + "/" + s.Name
	}
	if len(s.Defined) == 0 {
		return name
	}
	at := s.Defined[0].Position(nil)
	return fmt.Sprintf("%s (%s:%d)", name, p.Rel(at.File), at.Line)
}

func (p Printer) list(b *strings.Builder, title string, uses []Use) {
	if len(uses) == 0 {
		return
	}
	b.WriteString(title + "\n")
	for i, u := range uses {
		if i == maxLines && len(uses) > maxLines+1 {
			fmt.Fprintf(b, "  and %d more (--format json lists all)\n", len(uses)-i)
			return
		}
		b.WriteString("  " + safetext.Text(p.use(u)) + "\n")
	}
}

// use returns a use on one line.
func (p Printer) use(u Use) string {
	text := fmt.Sprintf("%s:%d: ", p.Rel(u.Position.File), u.Position.Line)
	if u.Object != nil {
		text += objectName(u.Object) + " "
	}
	text += u.How
	if len(u.Pods) > 0 {
		var pods []string
		for _, o := range u.Pods {
			pods = append(pods, objectName(o))
		}
		text += "; pods: " + words.First(3, pods)
	}
	return text
}

func objectName(o *objects.Object) string {
	if o.Namespace == "" {
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

// accounts writes what the accounts are granted.
func (p Printer) accounts(b *strings.Builder, s Subject) {
	for i, a := range s.Accounts {
		if i == maxLines {
			fmt.Fprintf(b, "and %s (--format json lists all)\n", words.CountOf(len(s.Accounts)-i, "more account", "more accounts"))
			return
		}
		name := access.SubjectName(rbac.Account(a.Account))
		if len(a.Grants) == 0 {
			fmt.Fprintf(b, "%s is granted nothing in the repository\n", safetext.Text(name))
			continue
		}
		fmt.Fprintf(b, "%s is granted:\n", safetext.Text(name))
		for i, g := range a.Grants {
			if i == maxLines && len(a.Grants) > maxLines+1 {
				fmt.Fprintf(b, "  and %s (--format json lists all)\n", words.CountOf(len(a.Grants)-i, "more rule", "more rules"))
				break
			}
			if i == 0 || a.Grants[i-1].Binding.Object != g.Binding.Object {
				b.WriteString("  " + p.GrantText(g) + "\n")
			}
			if len(g.Rule.Verbs) == 0 {
				b.WriteString("    the rules of the role are not known\n")
				continue
			}
			b.WriteString("    " + p.RuleText(g) + "\n")
		}
	}
}

// The answer in JSON. Names and shape are promised to users: only add.
type (
	jsonAnswer struct {
		SchemaVersion string               `json:"schemaVersion"`
		Kind          string               `json:"kind"`
		Namespace     string               `json:"namespace"`
		Name          string               `json:"name"`
		Deletable     bool                 `json:"deletable"`
		Certain       bool                 `json:"certain"`
		Subjects      []jsonSubject        `json:"subjects"`
		Doubts        []access.DoubtAsJSON `json:"doubts"`
	}
	jsonSubject struct {
		Namespace string        `json:"namespace"`
		Deletable bool          `json:"deletable"`
		Certain   bool          `json:"certain"`
		Defined   []jsonObject  `json:"defined"`
		Uses      []jsonUse     `json:"uses"`
		Accounts  []jsonAccount `json:"accounts"`
	}
	jsonObject struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
		File      string `json:"file"`
		Line      int    `json:"line"`
	}
	jsonUse struct {
		File   string       `json:"file"`
		Line   int          `json:"line"`
		Path   string       `json:"path"`
		Object *jsonObject  `json:"object"`
		Effect Effect       `json:"effect"`
		How    string       `json:"how"`
		Pods   []jsonObject `json:"pods"`
	}
	jsonAccount struct {
		Namespace string                `json:"namespace"`
		Name      string                `json:"name"`
		Grants    []*access.GrantAsJSON `json:"grants"`
	}
)

// JSON writes the answer as JSON.
func (p Printer) JSON(w io.Writer, a Answer) error {
	out := jsonAnswer{
		SchemaVersion: "1", Kind: a.Question.Kind, Namespace: a.Question.Namespace, Name: a.Question.Name,
		Deletable: a.Deletable() == Yes, Certain: a.Deletable() != Unknown,
		Subjects: []jsonSubject{}, Doubts: p.DoubtsJSON(a.Doubts),
	}
	for _, s := range a.Subjects {
		item := jsonSubject{Namespace: s.Namespace, Deletable: a.deletable(s) == Yes, Certain: a.deletable(s) != Unknown, Defined: p.objects(s.Defined), Uses: []jsonUse{}, Accounts: []jsonAccount{}}
		for _, u := range s.Uses {
			item.Uses = append(item.Uses, p.useJSON(u))
		}
		for _, account := range s.Accounts {
			grants := []*access.GrantAsJSON{}
			for _, g := range account.Grants {
				grants = append(grants, p.GrantJSON(g))
			}
			item.Accounts = append(item.Accounts, jsonAccount{account.Namespace, account.Name, grants})
		}
		out.Subjects = append(out.Subjects, item)
	}
	return safetext.JSON(w, out)
}

func (p Printer) useJSON(u Use) jsonUse {
	use := jsonUse{File: p.Rel(u.Position.File), Line: u.Position.Line, Path: u.Path.String(), Effect: u.Effect, How: u.How, Pods: p.objects(u.Pods)}
	if u.Object != nil {
		use.Object = &p.objects([]*objects.Object{u.Object})[0]
		if pods := podAccounts(u.Object); len(pods) > 0 && !slices.Contains(u.Pods, u.Object) {
			use.Pods = append(use.Pods, *use.Object)
		}
	}
	return use
}

func (p Printer) objects(all []*objects.Object) []jsonObject {
	out := make([]jsonObject, 0, len(all))
	for _, o := range all {
		at := o.Position(nil)
		out = append(out, jsonObject{o.Kind, o.Namespace, o.Name, p.Rel(at.File), at.Line})
	}
	return out
}

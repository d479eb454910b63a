package formats

import (
	"io"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/salint/salint/internal/ask/change"
	"github.com/salint/salint/internal/base/safetext"
	"github.com/salint/salint/internal/base/words"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// The JSON format. Names and structure are stable: only add fields.
type (
	jsonReport struct {
		SchemaVersion string `json:"schemaVersion"`
		Revision      string `json:"revision"`
		Commit        string `json:"commit"`
		// Commits are those of the repositories of a workspace.
		Commits map[string]string `json:"commits,omitempty"`
		// CheckedOut is true if only uncommitted changes are compared, Nothing if there are none.
		CheckedOut bool            `json:"checkedOut"`
		Nothing    bool            `json:"nothing"`
		Complete   bool            `json:"complete"`
		Gained     []jsonChange    `json:"gained"`
		Lost       []jsonChange    `json:"lost"`
		Appeared   []jsonIdentity  `json:"appeared"`
		Vanished   []jsonIdentity  `json:"vanished"`
		Policies   []jsonPolicy    `json:"policies"`
		Extensions []jsonExtension `json:"extensions"`
		Objects    []jsonObject    `json:"objects"`
		NotRead    []jsonNotRead   `json:"notRead"`
		Moved      []jsonMoved     `json:"moved"`
		// NotCompared is what no comparison includes.
		NotCompared []string    `json:"notCompared"`
		Summary     jsonSummary `json:"summary"`
	}
	jsonSummary struct {
		Units    int `json:"units"`
		Errors   int `json:"errors"`
		Warnings int `json:"warnings"`
		Notes    int `json:"notes"`
		// Power and Unread are the errors and warnings by class.
		Power  int  `json:"power"`
		Unread int  `json:"unread"`
		Failed bool `json:"failed"`
	}
	jsonChange struct {
		Class        string              `json:"class"`
		Severity     string              `json:"severity"`
		Title        string              `json:"title"`
		Dangers      []string            `json:"dangers"`
		Chain        []string            `json:"chain"`
		Role         jsonSubject         `json:"role"`
		Widened      bool                `json:"widened"`
		Places       []jsonPlace         `json:"places"`
		Sources      []jsonSubject       `json:"sources"`
		Rules        []rbacv1.PolicyRule `json:"rules"`
		UnknownRules []jsonSubject       `json:"unknownRules"`
		Holders      []jsonHolder        `json:"holders"`
		Units        []string            `json:"units"`
		// Since are the changed files of the units, if none of the places is in one.
		Since []string `json:"since,omitempty"`
	}
	jsonHolder struct {
		Subject jsonSubject `json:"subject"`
		// Namespace is "" for the whole cluster.
		Namespace string      `json:"namespace"`
		Binding   jsonSubject `json:"binding"`
		Place     *jsonPlace  `json:"place,omitempty"`
		Doubt     string      `json:"doubt,omitempty"`
	}
	jsonSubject struct {
		Kind      string `json:"kind"`
		Namespace string `json:"namespace,omitempty"`
		Name      string `json:"name"`
	}
	jsonPlace struct {
		File string `json:"file"`
		Line int    `json:"line"`
	}
	jsonIdentity struct {
		Subject jsonSubject `json:"subject"`
		Units   []string    `json:"units"`
	}
	jsonPolicy struct {
		Object   jsonSubject `json:"object"`
		Effect   string      `json:"effect"`
		Severity string      `json:"severity"`
		Place    *jsonPlace  `json:"place,omitempty"`
		Units    []string    `json:"units"`
	}
	jsonExtension struct {
		Name     string     `json:"name"`
		From     string     `json:"from"`
		To       string     `json:"to"`
		Severity string     `json:"severity"`
		Place    *jsonPlace `json:"place,omitempty"`
		Units    []string   `json:"units"`
	}
	jsonObject struct {
		Object   jsonSubject `json:"object"`
		Rule     string      `json:"rule"`
		Severity string      `json:"severity"`
		Title    string      `json:"title"`
		Place    *jsonPlace  `json:"place,omitempty"`
		Units    []string    `json:"units"`
	}
	jsonMoved struct {
		From     string     `json:"from"`
		To       string     `json:"to"`
		Severity string     `json:"severity"`
		Place    *jsonPlace `json:"place,omitempty"`
	}
	jsonNotRead struct {
		Message string     `json:"message"`
		Place   *jsonPlace `json:"place,omitempty"`
		Places  int        `json:"places"`
		Before  bool       `json:"before"`
		After   bool       `json:"after"`
		New     bool       `json:"new"`
		Changed bool       `json:"changed"`
		// Unread is true if new content can hide in it: it is a warning of this class.
		Unread bool `json:"unread"`
		// From and To are the revisions of a source, if they differ, and Settings those that differ and can decide.
		From     string   `json:"from,omitempty"`
		To       string   `json:"to,omitempty"`
		Settings []string `json:"settings,omitempty"`
	}
)

// summary returns the numbers of a report.
func (p Printer) summary(r *change.Report) jsonSummary {
	var s finding.Summary
	s.Count(r.Findings())
	classes := r.Warnings()
	return jsonSummary{r.Units, s.Errors, s.Warnings, s.Notes, classes.Power, classes.Unread, r.Fails(p.FailOn)}
}

// json writes a report as JSON.
func (p Printer) json(w io.Writer, r *change.Report) error {
	out := jsonReport{
		SchemaVersion: "1", Revision: r.Revision, Commit: r.Commit, Commits: r.Commits, CheckedOut: r.CheckedOut, Nothing: r.Nothing, Complete: r.Complete(),
		Gained: []jsonChange{}, Lost: []jsonChange{}, Appeared: jsonIdentities(r.Appeared), Vanished: jsonIdentities(r.Vanished),
		Policies: []jsonPolicy{}, Extensions: []jsonExtension{}, Objects: []jsonObject{}, NotRead: []jsonNotRead{}, Moved: []jsonMoved{},
		NotCompared: change.NotCompared(),
		Summary:     p.summary(r),
	}
	for _, c := range r.Gained {
		out.Gained = append(out.Gained, p.jsonChange(c, c.Title()))
	}
	for _, c := range r.Lost {
		out.Lost = append(out.Lost, p.jsonChange(c, c.Sentence(false)))
	}
	for _, a := range r.Policies {
		out.Policies = append(out.Policies, jsonPolicy{
			jsonSubject{a.Kind, a.Namespace, a.Name}, string(a.Effect), a.Severity.String(), p.jsonPlace(a.Place), a.Units,
		})
	}
	for _, e := range r.Extensions {
		out.Extensions = append(out.Extensions, jsonExtension{e.Name, e.From, e.To, e.Severity.String(), p.jsonPlace(e.Place), e.Units})
	}
	for _, o := range r.Objects {
		out.Objects = append(out.Objects, jsonObject{jsonSubject{o.Kind, o.Namespace, o.Name}, o.Rule, o.Severity.String(), o.Sentence(), p.jsonPlace(o.Place), o.Units})
	}
	for _, m := range r.Moved {
		out.Moved = append(out.Moved, jsonMoved{m.From, m.To, m.Severity.String(), p.jsonPlace(m.Place)})
	}
	for _, n := range r.NotRead {
		out.NotRead = append(out.NotRead, jsonNotRead{n.Message, p.jsonPlace(n.Place), n.Places, n.Before, n.After, n.New, n.Changed, n.Unread(), n.From, n.To, n.Deciding})
	}
	return safetext.JSON(w, out)
}

func (p Printer) jsonPlace(at objects.Position) *jsonPlace {
	if at.File == "" {
		return nil
	}
	return &jsonPlace{p.Rel(at.File), at.Line}
}

func (p Printer) jsonChange(c change.Change, title string) jsonChange {
	out := jsonChange{
		Class: string(c.Class), Severity: c.Severity.String(), Title: title, Dangers: words.NotNil(c.Dangers), Chain: words.NotNil(c.Chain), Role: jsonRole(c.Role),
		Widened: c.Widened, Places: []jsonPlace{}, Sources: jsonRoles(c.Sources), Rules: words.NotNil(c.Rules),
		UnknownRules: jsonRoles(c.UnknownRules), Holders: []jsonHolder{}, Units: c.Units, Since: c.Since,
	}
	for _, at := range c.Places {
		out.Places = append(out.Places, *p.jsonPlace(at))
	}
	for _, h := range c.Holders {
		out.Holders = append(out.Holders, jsonHolder{
			jsonSubject(h.Subject), h.Scope, jsonSubject{h.BindingKind, h.Scope, h.Binding}, p.jsonPlace(h.Place), h.Doubt,
		})
	}
	return out
}

func jsonRole(r rbac.RoleRef) jsonSubject { return jsonSubject{r.Kind, r.Namespace, r.Name} }

func jsonRoles(roles []rbac.RoleRef) []jsonSubject {
	list := []jsonSubject{}
	for _, r := range roles {
		list = append(list, jsonRole(r))
	}
	return list
}

func jsonIdentities(list []change.Identity) []jsonIdentity {
	out := []jsonIdentity{}
	for _, i := range list {
		out = append(out, jsonIdentity{jsonSubject(i.Subject), i.Units})
	}
	return out
}

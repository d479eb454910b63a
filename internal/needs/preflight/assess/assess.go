package assess

import (
	"context"
	"io"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/assemble/workspace"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/kube/rbac"
	"github.com/salint/salint/internal/needs/contents"
	"github.com/salint/salint/internal/needs/preflight"
	"github.com/salint/salint/internal/needs/preflight/answer"
	"github.com/salint/salint/internal/needs/preflight/installer"
)

// Options are what the command line asks.
type Options struct {
	// Bundle is the folder of the bundle, and From that of the installed version; "" for those of the configuration, or none.
	Bundle, From string
	// Errors is a file with the error text of a failed installation, and Granted one with what the installer holds; "" if there is
	// none, - for Stdin.
	Errors, Granted string
	Stdin           io.Reader
	// Extension and Namespace are "" for those of the repository.
	Extension, Namespace string
	WatchNamespaces      []string
	// ServiceAccount and Identity are the installer, at most one of them; "" and nil for the identity that OLM uses.
	ServiceAccount string
	Identity       *rbac.Identity
	// Certificates is the issuer of certificates, Runtime the runtime of operator-controller; both can be auto.
	Certificates, Runtime string
	// Package and Values are those of [contents.Reader].
	Package    string
	Values     []string
	Escalation preflight.Escalation
	// CollectionVerbs and Finalizers are values of the flags, see [SplitVerbs].
	CollectionVerbs, Finalizers string
	// All lists what is not missing, too; Verbose lists everything.
	All, Verbose bool
	// Command is the command line, without its format.
	Command string
}

// SplitVerbs returns the verbs of a list with commas or blanks between them.
func SplitVerbs(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// assessment is one run of a preflight.
type assessment struct {
	at      *workspace.Workspace
	options Options

	contents *contents.Reader
	world    *loader.Repository
	// holds is what a cluster says that the identity holds; nil if the repository counts.
	holds *preflight.Granted
}

// Answers returns what is missing: an answer for a bundle, or one for each user of an error text.
func Answers(ctx context.Context, w *workspace.Workspace, o Options) ([]answer.Answer, error) {
	p := &assessment{at: w, options: o}
	p.contents = &contents.Reader{Workspace: w, Package: o.Package, Values: o.Values, Folders: []string{o.Bundle, o.From}}
	var err error
	if p.world, err = p.contents.ReadRepository(ctx, loader.Kinds(loader.RBAC(), loader.Installers())); err != nil {
		return nil, err
	}
	if err := p.readGranted(); err != nil {
		return nil, err
	}
	if p.options.Errors != "" {
		return p.askErrors()
	}
	a, err := p.askBundle(ctx)
	return []answer.Answer{a}, err
}

// choice returns the installer that the options select.
func (p *assessment) choice() installer.Choice {
	choice := installer.Choice{
		Extension: p.options.Extension, Namespace: p.options.Namespace, WatchNamespaces: p.options.WatchNamespaces,
		Account: p.options.ServiceAccount, Target: p.at.Requested.Common(), Selected: p.at.Repo.Selected, Rel: p.at.Rel,
	}
	switch p.options.Runtime {
	case "helm":
		choice.Runtime = olm.HelmRuntime
	case "boxcutter":
		choice.Runtime = olm.BoxcutterRuntime
	}
	// An account can be given with its namespace, as in its user name.
	if namespace, name, ok := strings.Cut(choice.Account, ":"); ok {
		choice.Account = ""
		who := rbac.Account(objects.Account{Namespace: namespace, Name: name}).Identity()
		choice.Identity = &who
	}
	if p.options.Identity != nil {
		choice.Identity = p.options.Identity
	}
	return choice
}

// scope returns in which unit the bindings of an installer resolve: its cluster, if one is known, or its deployment unit.
func (p *assessment) scope(unit *objects.Unit) *objects.Unit {
	if unit == nil || unit.Kind == objects.PlainUnit {
		return unit
	}
	if scopes := p.world.ScopesOf([]*objects.Unit{unit}); len(scopes) == 1 {
		return scopes[0]
	}
	return unit // of several clusters, each can have other bindings
}

// newAnswer returns what answers for bundles and for errors have in common.
func (p *assessment) newAnswer(i *installer.Installer) answer.Answer {
	v := i.Resolved
	unit, from := i.Grants()
	a := answer.Answer{
		Extension: i.Extension, Namespace: i.Namespace, Identity: i.Identity, Unit: unit, From: from,
		Target: answer.Target{
			Name: v.Target.Name, Model: string(v.Target.Model), Runtime: i.Runtime.Name,
			DetectedFrom: v.DetectedFrom, Known: v.Known,
		},
		NothingNeeded: i.Acting == installer.AsOwnAccount, Reason: i.Reason, Condition: i.Condition, Notes: i.Notes, All: p.options.All, Verbose: p.options.Verbose,
		Escalation: p.options.Escalation, Command: p.options.Command, Rel: p.at.Rel,
	}
	if a.NothingNeeded {
		a.Target.Runtime = ""
	}
	if p.holds != nil {
		a.GrantedFrom, a.Notes = p.grantedName(), append(a.Notes, p.grantedNotes()...)
		return a
	}
	if unit != nil && !a.NothingNeeded {
		a.Bindings = rbac.BindingsFor(p.scope(unit), from, i.Identity)
		for _, problem := range p.world.Problems(unit) {
			problem.Position.File = p.at.Rel(problem.Position.File)
			a.Notes = append(a.Notes, problem.String())
		}
	}
	return a
}

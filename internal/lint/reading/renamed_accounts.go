package reading

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

const accountKind = "ServiceAccount"

// loadRenamedAccounts loads accounts that extensions name but no unit contains. The name closure follows the names in files,
// and an overlay, an application or a chart can apply an account under another name. It does nothing if no account is missing.
func (r *Reader) loadRenamedAccounts(ctx context.Context, first loader.Assembled) (loader.Assembled, error) {
	defer func() { r.decider.closure = nil }() // with it, the files to which no name leads
	missing := missingAccounts(first.Units)
	if len(missing) == 0 || r.options.ignoresAccounts() {
		return first, nil
	}
	changed, err := r.parseRenamed(ctx, r.decider.byRenamedAccounts(missing, first.Units))
	if err != nil {
		return first, err
	}
	assembly := &r.snapshot.assembly
	mentions := assembly.Charts.Mentions
	assembly.Objects = r.snapshot.Parsed.Objects
	assembly.Charts.Mentions = func(text []byte) bool { return mentions(text) || strings.Contains(string(text), accountKind) }
	again := *assembly
	again.Known = unlessRead(first.Units, changed)
	second, err := loader.AssembleAll(ctx, again)
	if err != nil {
		return second, err
	}
	second.Applications.Problems = joinProblems(first.Applications.Problems, second.Applications.Problems)
	second.Units = slices.DeleteFunc(second.Units, func(u *objects.Unit) bool {
		return u.Kind == objects.ChartUnit && !isAmong(first.Units, u) && !hasAccount(u, missing)
	})
	return second, nil
}

// ignoresAccounts reports whether OLM uses no account on the target of every unit.
func (o Options) ignoresAccounts() bool {
	common := o.Requested.Common()
	return common != nil && len(o.Config.Overrides) == 0 && (common.Model == olm.Ignored || common.Model == olm.Removed)
}

// joinProblems adds the problems that only the second assembly has. The second assembly has no problems of units that it took
// over from the first.
func joinProblems(first, second []applications.Problem) []applications.Problem {
	all := slices.Clone(first)
	for _, p := range second {
		if !slices.ContainsFunc(first, func(known applications.Problem) bool { return known.Problem == p.Problem }) {
			all = append(all, p)
		}
	}
	return all
}

// missingAccounts returns the names of accounts that extensions use and no unit contains.
func missingAccounts(units []*objects.Unit) map[string]bool {
	missing := map[string]bool{}
	there := sync.OnceValue(func() map[string][]string { return accountNamespaces(units) })
	for _, u := range units {
		for _, o := range u.Objects {
			e, ok := o.Extension()
			if !ok || e.Account.State != olm.Named || e.Account.Name == olm.Placeholder {
				continue
			}
			if !slices.ContainsFunc(there()[e.Account.Name], func(ns string) bool { return objects.SameNamespace(ns, e.Namespace) }) {
				missing[e.Account.Name] = true
			}
		}
	}
	return missing
}

// accountNamespaces returns the namespaces of all accounts, by name. It builds the deferred units with accounts.
func accountNamespaces(units []*objects.Unit) map[string][]string {
	core, there := "", map[string][]string{}
	query := objects.Query{Group: &core, Kind: accountKind}
	for _, u := range units {
		if !u.MayHold(query) {
			continue
		}
		for _, o := range u.Applied().Find(query) {
			there[o.Name] = append(there[o.Name], o.Namespace)
		}
	}
	return there
}

// byRenamedAccounts finds the documents of accounts that may be applied under one of the names, and what names connect with
// them. With a prefix or suffix, the name in the file is a part of the applied name; other transformations can replace it.
func (d *decider) byRenamedAccounts(names map[string]bool, units []*objects.Unit) []*manifest.Document {
	var accounts []*manifest.Document
	for written, docs := range d.closure.waiting {
		for _, doc := range docs {
			if doc.Kind() == accountKind && (isPartOf(written, names) || mayBeRenamed(doc.File.Path, units)) {
				accounts = append(accounts, doc)
			}
		}
	}
	accounts = append(accounts, d.closure.reach(accounts, "")...)
	accounts = slices.DeleteFunc(accounts, func(doc *manifest.Document) bool { return objects.IsKustomizationFile(doc.File.Path) })
	for _, doc := range accounts {
		d.decisions.decide(doc, AccountIsRenamed)
	}
	return accounts
}

func isPartOf(written string, names map[string]bool) bool {
	for name := range names {
		if strings.Contains(name, written) {
			return true
		}
	}
	return false
}

// mayBeRenamed reports whether a kustomization can replace the names in a file by any others.
func mayBeRenamed(file string, units []*objects.Unit) bool {
	return slices.ContainsFunc(units, func(u *objects.Unit) bool {
		return slices.ContainsFunc(u.Transforms, replacesNames) && u.Reads(file)
	})
}

func replacesNames(t objects.Transform) bool {
	return t.Field == "replacements" || t.Field == "vars" || t.Field == "transformers"
}

// parseRenamed parses documents and adds their objects to the snapshot. It returns the names of their files.
func (r *Reader) parseRenamed(ctx context.Context, docs []*manifest.Document) (map[string]bool, error) {
	s := r.snapshot
	files, names := map[string]*manifest.File{}, map[string]bool{}
	chosen := map[*manifest.Document]bool{}
	for _, doc := range docs {
		file := doc.File
		files[file.Path], names[file.Path], s.Collection.Files[file.Path], chosen[doc] = file, true, file, true
	}
	parsed, err := loader.Selection{
		Names: s.Collection.Names, Files: files, Matters: func(doc *manifest.Document) bool { return chosen[doc] },
	}.Parse(ctx)
	s.Parsed.Documents += parsed.Documents
	s.Parsed.Objects, s.Parsed.Unread = append(s.Parsed.Objects, parsed.Objects...), append(s.Parsed.Unread, parsed.Unread...)
	s.addProblems(parsed.Problems)
	return names, err
}

// unlessRead returns a function that returns the unit that was built before, unless it reads one of the files.
func unlessRead(units []*objects.Unit, files map[string]bool) func(*objects.Unit) *objects.Unit {
	known := map[objects.UnitKey]*objects.Unit{}
	for _, u := range units {
		known[u.Key()] = u
	}
	return func(u *objects.Unit) *objects.Unit {
		if len(u.ReadOf(files)) > 0 {
			return nil
		}
		return known[u.Key()]
	}
}

func isAmong(units []*objects.Unit, u *objects.Unit) bool {
	return slices.ContainsFunc(units, func(other *objects.Unit) bool { return other.Key() == u.Key() })
}

// hasAccount reports whether a unit contains an account with one of the names.
func hasAccount(u *objects.Unit, names map[string]bool) bool {
	return slices.ContainsFunc(u.Objects, func(o *objects.Object) bool { return o.Kind == accountKind && names[o.Name] })
}

package lint

import (
	"context"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/applications"
	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

const accountKind = "ServiceAccount"

// seek looks again for the accounts of extensions that nothing put together so far applies. Which documents were parsed was
// decided by the names in files, and an account may be given its name by an overlay, an application or a chart: those are
// put together as well, as far as they may make such an account. It costs nothing where all accounts are there.
func (r *run) seek(ctx context.Context, reader *reader, first loader.Assembled) (loader.Assembled, error) {
	missing := missingAccounts(first.Units)
	if len(missing) == 0 || r.noAccountCounts() {
		return first, nil
	}
	files, err := r.parseSought(ctx, reader.sought(missing, first.Units))
	if err != nil {
		return first, err
	}
	mentions := r.assembly.Charts.Mentions
	r.assembly.Objects = r.library.objects
	r.assembly.Charts.Mentions = func(text []byte) bool { return mentions(text) || strings.Contains(string(text), accountKind) }
	again := r.assembly
	again.Known = unlessRead(first.Units, files)
	second, err := loader.AssembleAll(ctx, again)
	if err != nil {
		return second, err
	}
	second.Applications.Problems = joinedProblems(first.Applications.Problems, second.Applications.Problems)
	second.Units = slices.DeleteFunc(second.Units, func(u *objects.Unit) bool {
		return u.Kind == objects.ChartUnit && !isAmong(first.Units, u) && !makesAny(u, missing)
	})
	return second, nil
}

// noAccountCounts tells that everything is judged for a target under which OLM uses no account.
func (r *run) noAccountCounts() bool {
	common := r.asked.Common()
	return common != nil && len(r.Config.Overrides) == 0 && (common.Model == olm.Ignored || common.Model == olm.Removed)
}

// joinedProblems adds what is new: what is the same as before was not looked at again.
func joinedProblems(first, second []applications.Problem) []applications.Problem {
	all := slices.Clone(first)
	for _, p := range second {
		if !slices.ContainsFunc(first, func(known applications.Problem) bool { return known.Problem == p.Problem }) {
			all = append(all, p)
		}
	}
	return all
}

// missingAccounts are the names of accounts that extensions use and no unit has.
func missingAccounts(units []*objects.Unit) map[string]bool {
	core, there := "", map[string][]string{} // namespaces by name
	for _, u := range units {
		for _, o := range u.Find(objects.Query{Group: &core, Kind: accountKind}) {
			there[o.Name] = append(there[o.Name], o.Namespace)
		}
	}
	missing := map[string]bool{}
	for _, u := range units {
		for _, o := range u.Objects {
			e, ok := olm.ReadExtension(o.Node)
			if !ok || e.Account.State != olm.Named || e.Account.Name == olm.Placeholder {
				continue
			}
			if !slices.ContainsFunc(there[e.Account.Name], func(ns string) bool { return objects.SameNamespace(ns, e.Namespace) }) {
				missing[e.Account.Name] = true
			}
		}
	}
	return missing
}

// sought lists the documents of accounts that may be applied under one of some names, and what is connected with them. A
// prefix and a suffix leave the name that is written in the one that is applied; other changes of a name leave nothing.
func (r *reader) sought(names map[string]bool, units []*objects.Unit) []*manifest.Document {
	var accounts []*manifest.Document
	for written, docs := range r.related.waiting {
		for _, doc := range docs {
			if doc.Kind() == accountKind && (isPartOf(written, names) || mayBeRenamed(doc.File.Path, units)) {
				accounts = append(accounts, doc)
			}
		}
	}
	return append(accounts, r.related.to(accounts, "")...)
}

func isPartOf(written string, names map[string]bool) bool {
	for name := range names {
		if strings.Contains(name, written) {
			return true
		}
	}
	return false
}

// mayBeRenamed tells whether a kustomization fills names of a file in from elsewhere.
func mayBeRenamed(file string, units []*objects.Unit) bool {
	return slices.ContainsFunc(units, func(u *objects.Unit) bool {
		return slices.ContainsFunc(u.Transforms, fillsNamesIn) && u.Reads(file)
	})
}

func fillsNamesIn(t objects.Transform) bool {
	return t.Field == "replacements" || t.Field == "vars" || t.Field == "transformers"
}

// parseSought adds the objects of documents to those that were read, and gives the files that these are in.
func (r *run) parseSought(ctx context.Context, docs []*manifest.Document) (map[string]bool, error) {
	lib, wanted := r.library, map[*manifest.Document]bool{}
	files, names := map[string]*manifest.File{}, map[string]bool{}
	for _, doc := range docs {
		if file := doc.File; !objects.IsKustomizationFile(file.Path) {
			wanted[doc], files[file.Path], names[file.Path], lib.files[file.Path] = true, file, true, file
		}
	}
	parsed, err := loader.Selection{
		Names: lib.names, Files: files, Matters: func(doc *manifest.Document) bool { return wanted[doc] },
	}.Parse(ctx)
	lib.parsed += parsed.Documents
	lib.objects, lib.broken = append(lib.objects, parsed.Objects...), append(lib.broken, parsed.Broken...)
	for _, p := range parsed.Problems {
		lib.findings = append(lib.findings, notRead(p))
	}
	return names, err
}

// unlessRead gives units that were put together before, but those that are made of some files.
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

// makesAny tells whether a unit has an account of one of some names.
func makesAny(u *objects.Unit, names map[string]bool) bool {
	return slices.ContainsFunc(u.Objects, func(o *objects.Object) bool { return o.Kind == accountKind && names[o.Name] })
}

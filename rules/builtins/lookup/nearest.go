package lookup

import (
	"context"
	"path"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/salint/salint/rules/builtins/define"
	"github.com/salint/salint/rules/evalcontext"
	"github.com/salint/salint/rules/fieldquery"
	"github.com/salint/salint/rules/policy"
	"github.com/salint/salint/rules/values"
)

// nearestBuiltins compare the folders of files.
func nearestBuiltins() []*policy.Builtin {
	refs := types.NewAny(define.Strings, types.NewSet(define.String))
	return []*policy.Builtin{{
		Name:        "salint.nearest",
		Description: "For each ref, the other refs whose files share the deepest folder with its file.",
		Decl:        define.Function(define.Map(types.NewSet(define.String)), define.Arg("refs", refs), define.Arg("others", refs)), Eval: nearestRefs,
	}, {
		Name:        "salint.nearest_of",
		Description: "The refs of those objects of `salint.find` whose files share the deepest folder with the file of `input.resource`.",
		Decl:        define.Function(types.NewSet(define.String), define.Arg("query", define.AnyMap)), Eval: define.Asking(define.KindOfQuery, define.Inside(nearestOf)),
	}}
}

type foldersKey struct{ query string }

// nearestOf creates the folders of a query once for all objects of a unit.
func nearestOf(s *evalcontext.Evaluation, args []*ast.Term) (ast.Value, error) {
	query, ok, err := fieldquery.Read(args[0])
	if !ok || err != nil || s.Object == nil {
		return nil, err
	}
	all := s.Unit.Cached(foldersKey{evalcontext.ArgsKey(args)}, func() any {
		var refs []*ast.Term
		for _, o := range query.In(s.Unit) {
			refs = append(refs, ast.StringTerm(o.Ref()))
		}
		return newFolders(refs)
	}).(*folders)
	if nearest := all.nearest(folderOf(ast.StringTerm(s.Object.Ref()))); nearest != nil {
		return nearest.Value, nil
	}
	return ast.NewSet(), nil
}

// nearestRefs needs no repository, because a ref begins with the name of its file.
func nearestRefs(_ context.Context, args []*ast.Term) (ast.Value, error) {
	refs, okRefs := values.Strings(args[0])
	others, okOthers := values.Strings(args[1])
	if !okRefs || !okOthers {
		return nil, nil
	}
	folders := newFolders(others)
	answer := ast.NewObject()
	for _, ref := range refs {
		if nearest := folders.nearest(folderOf(ref)); nearest != nil {
			answer.Insert(ref, nearest)
		}
	}
	return answer, nil
}

// folderOf returns the folder of the file that a ref begins with; "." is the root of the repository.
func folderOf(ref *ast.Term) string {
	file := string(ref.Value.(ast.String))
	if last := strings.LastIndexByte(file, '#'); last >= 0 {
		file = file[:last]
	}
	return path.Dir(file)
}

// folders holds refs by each folder that contains their files, at any depth.
type folders struct {
	below map[string][]*ast.Term
	// sets are created from the refs of a folder on first use, and shared by all answers.
	mu   sync.Mutex
	sets map[string]*ast.Term
}

func newFolders(refs []*ast.Term) *folders {
	f := &folders{below: map[string][]*ast.Term{}, sets: map[string]*ast.Term{}}
	for _, ref := range refs {
		for folder := folderOf(ref); ; folder = path.Dir(folder) {
			f.below[folder] = append(f.below[folder], ref)
			if isRoot(folder) {
				break
			}
		}
	}
	return f
}

// nearest returns the refs in the folder, or in the deepest parent folder that has any; nil if there are no refs.
func (f *folders) nearest(folder string) *ast.Term {
	for len(f.below[folder]) == 0 && !isRoot(folder) {
		folder = path.Dir(folder)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sets[folder] == nil && len(f.below[folder]) > 0 {
		f.sets[folder] = ast.SetTerm(f.below[folder]...)
	}
	return f.sets[folder]
}

func isRoot(folder string) bool { return folder == "." || folder == "/" }

package helm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
	"github.com/salint/salint/internal/render/templates/block"
	"github.com/salint/salint/internal/render/templates/source"
)

// One template serves values that the repository does not have. The checks in this file refuse what would be right only with
// the known values.

// checkLines refuses to remove lines that may write something else with other values: those of an object whose kind depends
// on values, and those of a helper that is also included where no known set of values renders it.
func checkLines(c *engine.Context, g *reachedExtensions) error {
	for _, m := range g.members {
		if err := checkKind(c, m); err != nil {
			return err
		}
	}
	for _, lines := range g.lines {
		if name := lines.Scope.Define(); name != "" {
			if err := checkCallers(c, g, lines, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkKind refuses an extension whose object has another kind with other values.
func checkKind(c *engine.Context, m *renderedExtension) error {
	for _, field := range []string{"apiVersion", "kind"} {
		w, err := valueOf(c, m.unit, m.Object, manifest.Path{field})
		if err != nil {
			return err
		}
		if !w.isLiteral() {
			return engine.Refuse("the %s of %s is %s at %s, and something else with other values: %s",
				field, engine.NameOf(m.Object), w.scalar.Text, w.place(), removeByHand)
		}
		for _, lines := range m.lines {
			around, inner := blockKeys(w.scalar.Origin), blockKeys(lines.Origin)
			if len(around) > len(inner) || !slices.Equal(around, inner[:len(around)]) {
				return engine.Refuse("the %s of %s is in a separate block at %s, so the object may be another one with other "+
					"values: %s",
					field, engine.NameOf(m.Object), w.place(), removeByHand)
			}
		}
	}
	return nil
}

// place returns the place where a value is written.
func (v templateValue) place() string {
	line, column := v.scalar.Scope.File.Position(v.scalar.Span.Start)
	return fmt.Sprintf("%s:%d:%d", sourceName(v.scalar.Source.File, v.scalar.Source.Inside), line, column)
}

// blockKeys returns keys of the blocks around a place, the outermost first. A key contains the position of the block and the
// number of its arm.
func blockKeys(o block.Origin) []string {
	var keys []string
	for _, scope := range scopesOf(o) {
		for _, guard := range withoutDefine(scope.Guards) {
			keys = append(keys, fmt.Sprintf("%s\x00%d\x00%d", scope.File.Name, guard.Span.Start, len(guard.Opening)))
		}
	}
	return keys
}

// checkCallers refuses lines in a helper if an include of the helper is not rendered for an extension with any known set of
// values.
func checkCallers(c *engine.Context, g *reachedExtensions, lines block.Origin, name string) error {
	ran := map[string]bool{}
	for _, r := range g.removals {
		for _, call := range r.calls {
			ran[callKey(call)] = true
		}
	}
	for _, unit := range c.Repo.Units {
		if !unit.Reads(lines.Source.File) {
			continue
		}
		renderings, err := renderings(c, unit)
		if err != nil {
			return err
		}
		for _, r := range renderings {
			if err := r.checkCallers(ran, name, "a ClusterExtension", removeByHand); err != nil {
				return err
			}
		}
	}
	return nil
}

// callKey identifies a place at which a helper is included.
func callKey(call block.Call) string {
	return fmt.Sprintf("%s\x00%d", sourceName(call.Source.File, call.Source.Inside), call.Span.Start)
}

// checkCallers refuses if an include of a helper, directly or by other helpers, was not run for an object of a sort.
func (r *rendering) checkCallers(ran map[string]bool, name, sort, byHand string) error {
	all, wanted := r.sources(), map[string]bool{name: true}
	for left := []string{name}; len(left) > 0; left = left[1:] {
		for _, s := range all.files {
			for at, included := range s.includes {
				if included != left[0] {
					continue
				}
				if !ran[fmt.Sprintf("%s\x00%d", s.key, at)] {
					return engine.Refuse("%s includes %q, which writes the field, but no known set of values renders %s with "+
						"it: add a set that does (ci/…-values.yaml), or %s", s.position(at), name, sort, byHand)
				}
				if outer := s.file.Definition(s.file.TokenAt(at)); outer != "" && !wanted[outer] {
					wanted[outer] = true
					left = append(left, outer)
				}
			}
		}
	}
	return nil
}

func (s *chartSource) position(at int) string {
	line, column := s.file.Position(at)
	return fmt.Sprintf("%s:%d:%d", s.key, line, column)
}

// keepPolicy is the annotation that keeps an object on the cluster when the chart no longer renders it.
const keepPolicy = "helm.sh/resource-policy"

// checkNameBlocks refuses a name in a separate block: bindings beside it would be missing in some cases in which the
// extension is rendered.
func checkNameBlocks(c *engine.Context, m *renderedExtension, name templateValue) error {
	kind, err := valueOf(c, m.unit, m.Object, manifest.Path{"kind"})
	if err != nil {
		return err
	}
	if !slices.Equal(blockKeys(kind.scalar.Origin), blockKeys(name.scalar.Origin)) {
		return engine.Refuse("the name at %s is in a separate block, so %s has another name with other values: %s",
			name.place(), engine.NameOf(m.Object), bindByHand)
	}
	return checkStable(c, m, m.Object, name, name)
}

var (
	byRelease = lazyregexp.New(`\.Release\.Is(?:Install|Upgrade)\b`)
	callName  = lazyregexp.New(`[A-Za-z]\w*`)
)

// unstablePart returns what makes a text vary over time or with the cluster; "" if nothing does.
func unstablePart(text string) string {
	for _, token := range tokensOf(text) {
		if found := byRelease().FindString(token); found != "" {
			return found
		}
		for _, name := range callName().FindAllString(token, -1) {
			if source.Unsteady(name) {
				return name
			}
		}
	}
	return ""
}

// tokensOf returns the actions in a text, without the content of quotations.
func tokensOf(text string) []string {
	var actions []string
	for {
		_, rest, found := strings.Cut(text, "{{")
		end := actionEnd(rest)
		if !found || end < 0 {
			return actions
		}
		actions = append(actions, quotations().ReplaceAllString(rest[:end], `""`))
		text = rest[end:]
	}
}

var quotations = lazyregexp.New("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")

// checkStable refuses a value whose rendering depends on something that no rendering shows: a loop that ends early, a
// condition on a new release, or the state of the cluster. The latter is accepted around the name of the extension, because
// its bindings are then rendered together with it.
func checkStable(c *engine.Context, m *renderedExtension, o *objects.Object, w, name templateValue) error {
	if strings.Contains(o.Node.Lookup(manifest.Path{"metadata", "annotations", keepPolicy}).String(), "keep") {
		return engine.Refuse("%s has the annotation %s, so it stays on the cluster when the chart no longer renders it, but "+
			"bindings beside it do not: %s", engine.NameOf(o), keepPolicy, bindByHand)
	}
	sources := m.rendering.sources()
	for i, scope := range scopesOf(w.scalar.Origin) {
		isOfCall := i < len(w.scalar.Calls) && sameCalls(w.scalar.Origin, name.scalar.Origin)
		for _, guard := range scope.Guards {
			if at := leavesEarly(scope.File, guard); at != "" {
				return engine.Refuse("the range at line %d of %s has a %s, so the elements for which %s is rendered are "+
					"uncertain: %s",
					guard.Line, w.scalar.Source.File, at, engine.NameOf(o), bindByHand)
			}
			found := unstablePart(sources.dependencies(scope, guard.Opening...))
			if found != "" && !(found == "lookup" && (isOfCall || isAround(guard, scope, name.scalar.Origin))) {
				return refuseUnstable(w, fmt.Sprintf("the %s at line %d", guard.Word, guard.Line), found)
			}
		}
	}
	if found := unstablePart(sources.dependencies(w.scalar.Scope, w.scalar.Text)); found != "" {
		return refuseUnstable(w, w.scalar.Text, found)
	}
	return nil
}

func refuseUnstable(w templateValue, what, by string) error {
	return engine.Refuse("%s depends on %s in %s, which varies with the cluster or over time: %s",
		w.place(), by, what, bindByHand)
}

// leavesEarly returns the break or continue of a range; "" if there is none.
func leavesEarly(f *source.File, guard source.Guard) string {
	if guard.Word != "range" {
		return ""
	}
	for _, token := range f.Tokens {
		isInside := token.Span.Start > guard.Span.Start && token.Span.End < guard.Span.End
		if !isInside || token.Word != "break" && token.Word != "continue" {
			continue
		}
		inner := slices.ContainsFunc(f.Blocks, func(b *source.Block) bool {
			return b.Word == "range" && b.Span.Start > guard.Span.Start && b.Span.Start < token.Span.Start && b.Span.End > token.Span.End
		})
		if !inner {
			return token.Word
		}
	}
	return ""
}

// checkField refuses an account that is another one, or belongs to another extension, with other values.
func checkField(c *engine.Context, m *renderedExtension, name templateValue) error {
	if m.Account.State != olm.Named {
		return nil
	}
	account, err := valueOf(c, m.unit, m.Object, accountName(m))
	if err != nil {
		return err
	}
	if err := checkStable(c, m, m.Object, account, name); err != nil {
		return err
	}
	for _, lines := range m.lines {
		if lines.path.String() == m.Account.Path.String() && !slices.Equal(blockKeys(lines.Origin), blockKeys(account.scalar.Origin)) {
			return engine.Refuse("the name of the account at %s is in a separate block, so it is another one with other "+
				"values: %s", account.place(), bindByHand)
		}
	}
	for _, guard := range account.scalar.Scope.Guards {
		isOfName := slices.ContainsFunc(name.scalar.Scope.Guards, func(other source.Guard) bool { return other.Span == guard.Span })
		if line := otherArm(account.scalar.Scope.File, guard); !isOfName && line > 0 {
			return engine.Refuse("%s writes the account in the %s at line %d, but line %d applies with other values: %s",
				account.place(), guard.Word, guard.Line, line, bindByHand)
		}
	}
	return nil
}

// otherArm returns the line of another arm of a block that writes something; 0 if there is none.
func otherArm(f *source.File, guard source.Guard) int {
	i := slices.IndexFunc(f.Blocks, func(b *source.Block) bool { return b.Span == guard.Span })
	if i < 0 || f.Blocks[i].Defines() {
		return 0
	}
	for n, arm := range f.Blocks[i].Arms {
		if n == len(guard.Opening)-1 {
			continue
		}
		for _, token := range f.Tokens[arm.Open+1 : arm.Next] {
			if token.Kind == source.Text && strings.TrimSpace(f.Slice(token.Span)) != "" || f.Writes(token) {
				line, _ := f.Position(token.Span.Start)
				return line
			}
		}
	}
	return 0
}

func accountName(m *renderedExtension) manifest.Path {
	return append(slices.Clone(m.Account.Path), "name")
}

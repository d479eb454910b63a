package lint

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/kube/objects"
)

// searches are the answers to the questions of fixes for names. A fix asks about one account, and a repository can have thousands of
// them, so the second question is answered for all names about which fixes can ask: each search reads the whole repository.
type searches struct {
	questions int
	found     map[string][]objects.Mention
	err       error
}

// all searches for any names. It is called after the evaluation of rules, when nothing else parses documents. The error is a
// *fixers.Refusal if a file could not be searched.
func (m *mentions) all(ctx context.Context, names []string) (map[string][]objects.Mention, error) {
	m.apply()
	if slices.ContainsFunc(names, m.asked.lacks) {
		wanted := slices.Clone(names)
		if m.asked.questions++; m.asked.questions == 2 {
			wanted = append(wanted, m.candidates()...)
		}
		slices.Sort(wanted)
		m.err = nil
		m.asked.add(m.search(ctx, m.searchFor(slices.Compact(wanted)), m.texts(ctx)))
	}
	found := make(map[string][]objects.Mention, len(names))
	for _, name := range names {
		found[name] = slices.Clone(m.asked.found[name])
	}
	return found, m.asked.err
}

func (s *searches) lacks(name string) bool {
	_, known := s.found[name]
	return !known
}

// add adds the answers of a search. An error concerns files that every search reads.
func (s *searches) add(found map[string][]objects.Mention, err error) {
	if s.found == nil {
		s.found = map[string][]objects.Mention{}
	}
	maps.Copy(s.found, found)
	s.err = err
}

// ofGroups searches the manifests for askedGroups. It finds the objects of these groups, and not every other place.
func (m *mentions) ofGroups(ctx context.Context, groups []string) (map[string][]objects.Mention, error) {
	m.err = nil
	search := m.searchFor(groups)
	search.Skips = func(file string, data []byte) bool { return !objects.MayMentionInObject(file, data, groups) }
	return m.search(ctx, search, m.contentsOf(slices.Concat(slices.Sorted(maps.Keys(m.files.Asked)), m.excluded(ctx))))
}

func (m *mentions) search(ctx context.Context, search objects.MentionSearch, texts iter.Seq2[string, []byte]) (map[string][]objects.Mention, error) {
	m.apply()
	found, err := search.In(ctx, texts)
	m.fillIn(found)
	if err == nil && m.err != nil {
		err = &engine.Refusal{Reason: fmt.Sprintf("not every file could be searched (%v), so other uses of the account are unknown: "+
			"make the files readable first", m.err)}
	}
	return found, err
}

// candidates returns the names about which fixes can ask: of accounts and Secrets, as they are written and as they are applied.
func (m *mentions) candidates() []string {
	names := slices.Concat(slices.Collect(maps.Values(m.accounts()))...)
	for _, unit := range m.units {
		for _, o := range unit.Objects {
			if o.Kind != "Secret" || o.Group != "" {
				continue
			}
			names = append(names, o.Name)
			if source := o.Source(); source != nil {
				names = append(names, source.Name)
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

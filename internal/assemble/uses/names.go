package uses

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// names are the places of the names that were searched for. A fix asks about one account, and a repository can have thousands of
// them, so the second question is answered for all names about which fixes can ask: each search reads the whole repository.
type names struct {
	questions int
	found     map[string][]Place
	// unreadable are the files that could not be searched, the same for every search.
	unreadable error
}

// UnreadError is the error of an answer that is unknown because files were not read. It says what to do about it.
type UnreadError struct{ Reason string }

// Error returns the reason.
func (e *UnreadError) Error() string { return e.Reason }

// Named returns the places that have names as words, by the name. The error is an *UnreadError if a file could not be searched.
func (i *Index) Named(ctx context.Context, asked []string) (map[string][]Place, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := i.checkRead(); err != nil {
		return nil, err
	}
	i.apply()
	lacks := func(name string) bool { _, known := i.names.found[name]; return !known }
	if slices.ContainsFunc(asked, lacks) {
		wanted := slices.Clone(asked)
		if i.names.questions++; i.names.questions == 2 {
			wanted = append(wanted, i.candidates()...)
		}
		if _, err := i.search(ctx, wanted); err != nil {
			return nil, err
		}
	}
	found := make(map[string][]Place, len(asked))
	for _, name := range asked {
		found[name] = slices.Clone(i.names.found[name])
	}
	return found, unsearched(i.names.unreadable)
}

// InObjects returns the places that have names as words in objects of the API groups with these names. Other places are left out, which
// takes less time than [Index.Named].
func (i *Index) InObjects(ctx context.Context, groups []string) (map[string][]Place, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := i.checkRead(); err != nil {
		return nil, err
	}
	i.apply()
	excluded, unreadable := i.excluded(ctx)
	search := i.searchFor(groups)
	search.Skips = func(file string, data []byte) bool { return !MayBeInObject(file, data, groups) }
	found, err := search.In(ctx, i.contents(slices.Concat(slices.Sorted(maps.Keys(i.from.Asked)), excluded), &unreadable))
	if err != nil {
		return nil, err
	}
	i.fillIn(found)
	return found, unsearched(unreadable)
}

// checkRead returns an *UnreadError if nothing was read of a file.
func (i *Index) checkRead() error {
	if u, found := i.firstUnread(); found {
		return &UnreadError{fmt.Sprintf("%s was not read (%s), so the accounts that it names are unknown: make it readable first", u.Place, u.Reason)}
	}
	return nil
}

// unsearched returns an *UnreadError for the errors of files that could not be searched; nil for none.
func unsearched(err error) error {
	if err == nil {
		return nil
	}
	return &UnreadError{fmt.Sprintf("not every file could be searched (%v), so other uses of the account are unknown: make the files readable first", err)}
}

// search searches all files for names, and returns the places as they are written. With the meanings of templates, they are kept.
func (i *Index) search(ctx context.Context, wanted []string) (map[string][]Place, error) {
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	var unreadable error
	written, err := i.searchFor(wanted).In(ctx, i.texts(ctx, &unreadable))
	if err != nil {
		return nil, err
	}
	if i.names.found == nil {
		i.names.found = map[string][]Place{}
	}
	found := maps.Clone(written)
	i.fillIn(found)
	maps.Copy(i.names.found, found)
	i.names.unreadable = unreadable
	return written, nil
}

// searchFor returns a search for names in the files that were read.
func (i *Index) searchFor(wanted []string) Search {
	return Search{Names: wanted, Known: i.from.Collection.Files}
}

// candidates returns the names about which fixes can ask: of accounts and Secrets, as they are written and as they are applied.
func (i *Index) candidates() []string {
	all := slices.Concat(slices.Collect(maps.Values(i.accountNames()))...)
	for _, unit := range i.units {
		for _, o := range unit.Objects {
			if o.Kind != "Secret" || o.Group != "" {
				continue
			}
			all = append(all, o.Name)
			if source := o.Source(); source != nil {
				all = append(all, source.Name)
			}
		}
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}

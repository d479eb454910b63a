package reuse_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/render/protocol"
	"github.com/salint/salint/internal/render/reuse"
)

// tree is what a build can ask for. Names that end in a slash are folders.
type tree map[string]string

func (t tree) answer(q protocol.Query) protocol.Answer {
	if _, isFolder := t[q.Path+"/"]; isFolder && !q.Read {
		return protocol.Answer{Path: q.Path, Dir: true}
	}
	text, exists := t[q.Path]
	switch {
	case !exists:
		return protocol.Answer{Error: q.Path + " does not exist"}
	case q.Read:
		return protocol.Answer{Data: []byte(text)}
	}
	return protocol.Answer{Path: q.Path}
}

// with returns the tree with changes; "-" removes a name.
func (t tree) with(changes tree) tree {
	changed := maps.Clone(t)
	for name, text := range changes {
		if changed[name] = text; text == "-" {
			delete(changed, name)
		}
	}
	return changed
}

// build is a small kustomize: it looks for a file by two names, and reads what that lists.
func build(ask reuse.Ask) *protocol.Result {
	var objects []json.RawMessage
	for _, name := range []string{"kustomization.yml", "kustomization.yaml"} {
		if ask(protocol.Query{Path: name}).Error != "" {
			continue
		}
		for entry := range strings.FieldsSeq(string(ask(protocol.Query{Path: name, Read: true}).Data)) {
			if ask(protocol.Query{Path: entry}).Dir {
				entry += "/all"
			}
			objects = append(objects, json.RawMessage(fmt.Sprintf("%q", ask(protocol.Query{Path: entry, Read: true}).Data)))
		}
		break
	}
	return &protocol.Result{Objects: objects}
}

// run builds with a cache, and reports whether the result was known.
func run(c *reuse.Cache, dir string, files tree) (result *protocol.Result, known bool) {
	request := protocol.Request{Kustomize: &protocol.Kustomize{Dir: dir}}
	result, lookup := c.Find(reuse.Key{}, request, files.answer)
	if result != nil {
		return result, true
	}
	result = build(lookup.Record(files.answer))
	lookup.Keep(result)
	return result, false
}

var files = tree{"kustomization.yaml": "a b", "a": "1", "b": "2", "c": "3"}

// TestFind builds a tree, changes it, and builds it again: the result is that of a build without a cache, and known only if nothing
// changed that the first build read.
func TestFind(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		changes tree
		known   bool
	}{
		"nothing":                            {nil, true},
		"a file that was not read":           {tree{"c": "4"}, true},
		"a new file that was not looked for": {tree{"d": "4"}, true},
		"a file":                             {tree{"b": "4"}, false},
		"a list":                             {tree{"kustomization.yaml": "a b c"}, false},
		"a removed file":                     {tree{"b": "-"}, false},
		"a name that was looked for":         {tree{"kustomization.yml": "c"}, false},
		"a folder instead of a file":         {tree{"a": "-", "a/": "", "a/all": "1"}, false},
		"two files with swapped contents":    {tree{"a": "2", "b": "1"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := reuse.New(reuse.DefaultMemory)
			run(c, "x", files)
			changed := files.with(test.changes)
			got, known := run(c, "x", changed)
			if known != test.known {
				t.Errorf("known: %v, want %v", known, test.known)
			}
			if diff := cmp.Diff(build(changed.answer), got); diff != "" {
				t.Errorf("-built +found:\n%s", diff)
			}
			if _, known := run(c, "x", files); !known {
				t.Error("the first result is not known any more")
			}
			if _, known := run(c, "y", files); known {
				t.Error("the result of another request is known")
			}
		})
	}
}

// TestFindAsksNoMore checks that a search asks only what a build asks of the same tree, in the same order: answers can have effects.
func TestFindAsksNoMore(t *testing.T) {
	t.Parallel()
	c := reuse.New(reuse.DefaultMemory)
	run(c, "x", files)
	run(c, "x", files.with(tree{"kustomization.yaml": "c"}))
	for _, changes := range []tree{nil, {"a": "4"}, {"kustomization.yaml": "c"}, {"kustomization.yml": "b"}, {"kustomization.yaml": "-"}} {
		changed := files.with(changes)
		record := func(to *[]protocol.Query) reuse.Ask {
			return func(q protocol.Query) protocol.Answer { *to = append(*to, q); return changed.answer(q) }
		}
		var built, searched []protocol.Query
		build(record(&built))
		c.Find(reuse.Key{}, protocol.Request{Kustomize: &protocol.Kustomize{Dir: "x"}}, record(&searched))
		if len(searched) > len(built) || cmp.Diff(built[:len(searched)], searched) != "" {
			t.Errorf("%v: built with %v, searched with %v", changes, built, searched)
		}
	}
}

// TestScopes checks that results with other limits are not used, and that the parts of a key cannot run into each other.
func TestScopes(t *testing.T) {
	t.Parallel()
	c := reuse.New(reuse.DefaultMemory)
	request := protocol.Request{Chart: &protocol.Chart{ReleaseName: "a"}}
	_, lookup := c.Find(reuse.Key{Scope: "20 s"}, request, nil)
	lookup.Keep(&protocol.Result{})
	for scope, want := range map[string]bool{"20 s": true, "1 s": false, "": false} {
		if found, _ := c.Find(reuse.Key{Scope: scope}, request, nil); (found != nil) != want {
			t.Errorf("scope %q: %v", scope, found)
		}
	}
}

// TestLimit fills a cache above its limit.
func TestLimit(t *testing.T) {
	t.Parallel()
	c := reuse.New(20_000)
	large := files.with(tree{"a": strings.Repeat("x", 3000)})
	run(c, "first", large)
	for i := range 10 {
		run(c, fmt.Sprint(i), large)
		if _, known := run(c, "first", large); !known {
			t.Fatalf("dropped after %d others, although it is used all the time", i+1)
		}
	}
	if _, known := run(c, "0", large); known {
		t.Error("a result is still known that was not used for the longest time")
	}
	if run(c, "huge", files.with(tree{"a": strings.Repeat("x", 15_000)})); c.Size() > 20_000 {
		t.Errorf("%d bytes", c.Size())
	}
	if _, known := run(c, "first", large); !known {
		t.Error("one large result dropped the others")
	}
}

// TestManyResultsOfOneRequest changes a file often.
func TestManyResultsOfOneRequest(t *testing.T) {
	t.Parallel()
	c := reuse.New(reuse.DefaultMemory)
	for i := range 50 {
		run(c, "x", files.with(tree{"a": fmt.Sprint(i)}))
	}
	for i, want := range map[int]bool{0: false, 49: true} {
		if _, known := run(c, "x", files.with(tree{"a": fmt.Sprint(i)})); known != want {
			t.Errorf("result %d: known %v", i, known)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	c := reuse.New(30_000)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range 50 {
				changed := files.with(tree{"a": strings.Repeat("x", i%7*500)})
				got, _ := run(c, fmt.Sprint(i%5), changed)
				if diff := cmp.Diff(build(changed.answer), got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
	group.Wait()
}

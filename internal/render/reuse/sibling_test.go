package reuse_test

import (
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/render/protocol"
	"github.com/salint/salint/internal/render/reuse"
)

// buildIn is build for a folder, in which entries are paths relative to the folder that lists them.
func buildIn(dir string, ask reuse.Ask) *protocol.Result {
	return build(func(q protocol.Query) protocol.Answer {
		q.Path = path.Join(dir, q.Path)
		return ask(q)
	})
}

// runIn builds a folder with a cache, and reports whether the result was known, and how often something was forgotten.
func runIn(c *reuse.Cache, dir string, files tree, allowed bool) (result *protocol.Result, known bool, forgotten int) {
	request := protocol.Request{Kustomize: &protocol.Kustomize{Dir: dir}}
	key := reuse.Key{Siblings: &reuse.Siblings{
		Folder: dir, Content: []byte(files[dir+"/kustomization.yaml"]), Again: func() { forgotten++ }, Allowed: func() bool { return allowed },
	}}
	result, lookup := c.Find(key, request, files.answer)
	if result != nil {
		return result, true, forgotten
	}
	result = buildIn(dir, lookup.Record(files.answer))
	lookup.Keep(result)
	return result, false, forgotten
}

var siblings = tree{
	"/o/dev/kustomization.yaml": "../base/a own", "/o/dev/own": "1",
	"/o/test/kustomization.yaml": "../base/a own", "/o/test/own": "1",
	"/o/base/a": "2",
}

// TestFindOfSibling builds a folder, and then another one: the result is that of a build without a cache, and known if the folders
// differ only in their name, and no file contains one of the names.
func TestFindOfSibling(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		changes tree
		dir     string
		known   bool
	}{
		"the same content":            {nil, "/o/test", true},
		"another file":                {tree{"/o/test/own": "3"}, "/o/test", false},
		"a missing file":              {tree{"/o/test/own": "-"}, "/o/test", false},
		"another name of the file":    {tree{"/o/test/kustomization.yml": "own"}, "/o/test", false},
		"a base with the name":        {tree{"/o/base/a": "test"}, "/o/test", false},
		"a base with the other name":  {tree{"/o/base/a": "dev"}, "/o/test", false},
		"an escape sequence":          {tree{"/o/base/a": `"\x64ev"`}, "/o/test", false},
		"another parent folder":       {tree{"/p/test/kustomization.yaml": "../base/a own", "/p/test/own": "1", "/p/base/a": "2"}, "/p/test", false},
		"a name that begins with it":  {tree{"/o/dev2/kustomization.yaml": "../base/a own", "/o/dev2/own": "1"}, "/o/dev2", true},
		"a folder of an unusual name": {tree{"/o/a b/kustomization.yaml": "../base/a own", "/o/a b/own": "1"}, "/o/a b", false},
		"a file of the first one":     {tree{"/o/dev/kustomization.yaml": "../dev/own", "/o/test/kustomization.yaml": "../dev/own"}, "/o/test", false},
		"a file of the other one":     {tree{"/o/dev/kustomization.yaml": "../test/own", "/o/test/kustomization.yaml": "../test/own"}, "/o/test", false},
		"a folder instead of a file":  {tree{"/o/test/own": "-", "/o/test/own/": "", "/o/test/own/all": "1"}, "/o/test", false},
		"a new file that is not read": {tree{"/o/test/other": "test"}, "/o/test", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := reuse.New(reuse.DefaultMemory)
			changed := siblings.with(test.changes)
			runIn(c, "/o/dev", changed, true)
			got, known, _ := runIn(c, test.dir, changed, true)
			if known != test.known {
				t.Errorf("known: %v, want %v", known, test.known)
			}
			if diff := cmp.Diff(buildIn(test.dir, changed.answer), got); diff != "" {
				t.Errorf("-built +found:\n%s", diff)
			}
		})
	}
}

// TestSiblingLinks checks that a path to which another name resolves is not taken for one of the own folder.
func TestSiblingLinks(t *testing.T) {
	t.Parallel()
	c := reuse.New(reuse.DefaultMemory)
	linked := func(dir string) (*protocol.Result, bool) {
		key := reuse.Key{Siblings: &reuse.Siblings{Folder: dir, Again: func() {}, Allowed: func() bool { return true }}}
		ask := func(q protocol.Query) protocol.Answer {
			if q.Path == "/o/base/link" {
				q.Path = "/o/dev/own" // a symbolic link
			}
			return siblings.answer(q)
		}
		request := protocol.Request{Kustomize: &protocol.Kustomize{Dir: dir}}
		result, lookup := c.Find(key, request, ask)
		if result != nil {
			return result, true
		}
		record := lookup.Record(ask)
		record(protocol.Query{Path: "/o/base/link"})
		lookup.Keep(&protocol.Result{})
		return nil, false
	}
	for _, dir := range []string{"/o/dev", "/o/test"} {
		if _, known := linked(dir); known {
			t.Errorf("%s: the result is known", dir)
		}
	}
}

// TestSiblingsAllowed checks that results that depend on more, and errors, are not taken from siblings, that the queries of an earlier
// search are forgotten, and that dropped results are not found.
func TestSiblingsAllowed(t *testing.T) {
	t.Parallel()
	c := reuse.New(reuse.DefaultMemory)
	runIn(c, "/o/dev", siblings, false)
	if _, known, _ := runIn(c, "/o/test", siblings, false); known {
		t.Error("a result that is not allowed is known")
	}
	c = reuse.New(reuse.DefaultMemory)
	runIn(c, "/o/test", siblings.with(tree{"/o/test/own": "before"}), true)
	runIn(c, "/o/dev", siblings, true)
	if _, known, forgotten := runIn(c, "/o/test", siblings, true); !known || forgotten != 1 {
		t.Errorf("known: %v, forgotten %d times", known, forgotten)
	}
	c = reuse.New(reuse.DefaultMemory)
	request := protocol.Request{Kustomize: &protocol.Kustomize{Dir: "/o/dev"}}
	_, lookup := c.Find(reuse.Key{Siblings: &reuse.Siblings{Folder: "/o/dev", Allowed: func() bool { return true }}}, request, siblings.answer)
	lookup.Record(siblings.answer)(protocol.Query{Path: "/o/base/a"})
	lookup.Keep(&protocol.Result{Error: &protocol.Error{Message: "/o/dev"}})
	request.Kustomize.Dir = "/o/test"
	if result, _ := c.Find(reuse.Key{Siblings: &reuse.Siblings{Folder: "/o/test", Again: func() {}}}, request, siblings.answer); result != nil {
		t.Error("an error is known")
	}
	c = reuse.New(20 << 10)
	for i := range 200 {
		runIn(c, "/o/dev", siblings.with(tree{"/o/base/a": strings.Repeat("x", i)}), true)
	}
	if _, known, _ := runIn(c, "/o/test", siblings.with(tree{"/o/base/a": ""}), true); known {
		t.Error("a dropped result is known")
	}
}

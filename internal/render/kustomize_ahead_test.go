package render

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/salint/salint/internal/render/protocol"
)

// TestAhead checks which answers of a small overlay are sent ahead, and that using one has the effects of a query.
func TestAhead(t *testing.T) {
	t.Parallel()
	b := &kustomizeBuild{limit: 1 << 20, dir: "over", files: FromFS(fstest.MapFS{
		"over/kustomization.yaml": {Data: []byte("resources: [../base, missing.yaml, https://example.org/x]\npatches: [{path: patch.yaml}]\n")},
		"over/patch.yaml":         {Data: []byte("kind: A\n")},
		"base/kustomization.yaml": {Data: []byte("resources: []\n")},
	}), withoutRemote: true}
	a := ahead{job: job{files: b.answer, follow: b.follow, prepare: b.prepare}}
	query := protocol.Query{Path: protocol.Root + "/over/kustomization.yaml", Read: true}
	sent := map[protocol.Query]protocol.Answer{}
	for _, prepared := range a.after(query, b.answer(query)) {
		sent[prepared.Query] = prepared.Answer
	}
	exists := func(name string) protocol.Answer { return sent[protocol.Query{Path: protocol.Root + "/" + name}] }
	patch := protocol.Query{Path: protocol.Root + "/over/patch.yaml", Read: true}
	switch {
	case !exists("base").Dir, exists("over/patch.yaml").Path == "", exists("base/kustomization.yaml").Path == "":
		t.Errorf("an entry is missing: %v", sent)
	case exists("over/missing.yaml").Error == "", exists("base/Kustomization").Error == "":
		t.Errorf("a name that does not exist is missing: %v", sent)
	case string(sent[patch].Data) != "kind: A\n":
		t.Errorf("the patch is %q", sent[patch].Data)
	}
	for q := range sent {
		if q.Read && strings.Contains(q.Path, "kustomization") || strings.Contains(q.Path, "example.org") {
			t.Errorf("%v was sent ahead", q)
		}
	}
	if again := a.after(query, b.answer(query)); len(again) > 0 {
		t.Errorf("sent again: %v", again)
	}
	asked := b.asked
	if err := a.use([]protocol.Query{patch}); err != nil {
		t.Error(err)
	}
	if !b.wasRead["over/patch.yaml"] || b.asked != asked+1 {
		t.Errorf("the patch was not recorded: %v, %d queries after %d", b.wasRead, b.asked, asked)
	}
	b.limit = 1
	if err := a.use([]protocol.Query{patch}); !errors.Is(err, errUnlikeAhead) {
		t.Errorf("a file above the limit: %v", err)
	}
	if err := a.use([]protocol.Query{query}); !errors.Is(err, errUnlikeAhead) {
		t.Errorf("a query that was not answered ahead: %v", err)
	}
}

// TestAheadLimits checks that neither many answers nor large ones are sent ahead.
func TestAheadLimits(t *testing.T) {
	t.Parallel()
	small, large := strings.Repeat("#", maxAheadFile), strings.Repeat("#", maxAheadFile+1)
	files := fstest.MapFS{"large.yaml": {Data: []byte(large)}}
	list := "resources:\n- large.yaml\n"
	for i := range maxAhead {
		files[fmt.Sprintf("f%d.yaml", i)] = &fstest.MapFile{Data: []byte(small)}
		list += fmt.Sprintf("- f%d.yaml\n", i)
	}
	files["kustomization.yaml"] = &fstest.MapFile{Data: []byte(list)}
	b := &kustomizeBuild{limit: 1 << 20, dir: ".", files: FromFS(files)}
	a := ahead{job: job{files: b.answer, follow: b.follow, prepare: b.prepare}}
	query := protocol.Query{Path: protocol.Root + "/kustomization.yaml", Read: true}
	size := 0
	sent := a.after(query, b.answer(query))
	for _, prepared := range sent {
		size += len(prepared.Answer.Data)
		if prepared.Query.Read && strings.HasSuffix(prepared.Query.Path, "large.yaml") {
			t.Error("the large file was sent")
		}
	}
	if len(sent) > maxAhead || size > maxAheadData || size == 0 {
		t.Errorf("%d answers with %d bytes", len(sent), size)
	}
}

// changing is a file whose content is another one each time it is read.
type changing struct {
	Files
	name string

	mu    sync.Mutex
	times int
}

func (c *changing) ReadFile(name string) ([]byte, error) {
	if name != c.name {
		return c.Files.ReadFile(name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.times++
	return fmt.Appendf(nil, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {times: t%d}\n", c.times), nil
}

// TestUnlikeAhead builds a folder with a file whose content is not that which was sent ahead: it is built again.
func TestUnlikeAhead(t *testing.T) {
	t.Parallel()
	files := &changing{name: "x.yaml", Files: FromFS(fstest.MapFS{"kustomization.yaml": {Data: []byte("resources: [x.yaml]\n")}, "x.yaml": {Data: []byte("-\n")}})}
	workers := NewWorkers(Limits{})
	defer workers.Close()
	objects, err := Kustomize(t.Context(), files, ".", KustomizeOptions{Workers: workers})
	if err != nil || len(objects) != 1 {
		t.Fatalf("%d objects: %v", len(objects), err)
	}
	if n := workers.Counters().Kustomizations; n != 2 {
		t.Errorf("%d builds, want a second one", n)
	}
}

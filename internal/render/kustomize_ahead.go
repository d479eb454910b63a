package render

import (
	"bytes"
	"errors"
	"path"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render/protocol"
)

// A build of a small overlay asks for twenty names and files, one after the other, and each query interrupts both processes, which
// takes longer than its answer. Most queries follow from a kustomization: kustomize looks for each entry, and then reads it, or looks
// for the kustomization of a folder. So answers to such queries are sent before they are asked for. Nothing else changes: the child
// reports which of them it used, in their order, and each of these queries is then answered again as if it arrived, with all effects.

const (
	// maxAhead limits the answers that are sent ahead in a build, and maxAheadData their data: the child keeps them.
	maxAhead, maxAheadData = 1000, 4 << 20
	// maxAheadFile is the size of files that are sent ahead. For larger ones a query is cheap.
	maxAheadFile = 64 << 10
)

// ahead are the answers that are sent ahead in a build.
type ahead struct {
	job
	sent map[protocol.Query]protocol.Answer
	size int
	// fresh are those that are sent with the next answer.
	fresh []protocol.Prepared
}

// errUnlikeAhead reports that the answer to a query is another one than that which was sent ahead. For example, the build has read
// too much in the meantime. It begins again without such answers.
var errUnlikeAhead = errors.New("a file was read differently")

// after returns what is sent ahead with an answer.
func (a *ahead) after(query protocol.Query, answer protocol.Answer) []protocol.Prepared {
	a.fresh = nil
	if a.follow != nil && answer.Error == "" && len(a.sent) < maxAhead {
		a.follow(query, answer, a.add)
	}
	return a.fresh
}

// add sends the answer to a query ahead, unless it was sent before, and returns it. It is false for queries that are not answered ahead.
func (a *ahead) add(query protocol.Query) (answer protocol.Answer, ok bool) {
	if answer, known := a.sent[query]; known {
		return answer, true
	}
	if len(a.sent) >= maxAhead {
		return answer, false
	}
	answer, ok = a.prepare(query)
	if !ok || a.size+len(answer.Data) > maxAheadData {
		return answer, false
	}
	if a.sent == nil {
		a.sent = map[protocol.Query]protocol.Answer{}
	}
	a.sent[query] = answer
	a.size += len(answer.Data)
	a.fresh = append(a.fresh, protocol.Prepared{Query: query, Answer: answer})
	return answer, true
}

// use answers the queries to which the child already had the answers, for the effects.
func (a *ahead) use(queries []protocol.Query) error {
	for _, query := range queries {
		if sent, known := a.sent[query]; !known || !sameAnswer(a.files(query), sent) {
			return errUnlikeAhead
		}
	}
	return nil
}

func sameAnswer(a, b protocol.Answer) bool {
	return a.Error == b.Error && a.Path == b.Path && a.Dir == b.Dir && bytes.Equal(a.Data, b.Data)
}

// follow calls add for the queries that probably follow one: for the content of a file that exists, for the kustomization of a folder,
// or for the entries of a kustomization.
func (b *kustomizeBuild) follow(query protocol.Query, answer protocol.Answer, add func(protocol.Query) (protocol.Answer, bool)) {
	found := func(name string, a protocol.Answer) {
		if !a.Dir {
			add(protocol.Query{Path: name, Read: true})
			return
		}
		for _, kustomization := range objects.KustomizationNames() {
			add(protocol.Query{Path: path.Join(a.Path, kustomization)})
		}
	}
	if !query.Read {
		found(query.Path, answer)
		return
	}
	for _, entry := range b.listed[query.Path] {
		target := path.Join(path.Dir(query.Path), entry)
		if a, ok := add(protocol.Query{Path: target}); ok && a.Error == "" {
			found(target, a)
		}
	}
}

// prepare answers a query without its effects. It is false for what cannot be answered so: kustomizations, which are changed when they
// are read, and what is refused.
func (b *kustomizeBuild) prepare(query protocol.Query) (answer protocol.Answer, ok bool) {
	name, err := relative(query.Path)
	if err != nil || b.inflated[name] != nil {
		return answer, false
	}
	real, err := Resolve(b.files, name)
	if err != nil {
		return answer, false
	}
	if query.Read {
		data, err := b.files.ReadFile(real)
		ok := err == nil && len(data) <= maxAheadFile && !objects.IsKustomizationFile(real) && manifest.CheckLimits(real, data) == nil
		return protocol.Answer{Data: data}, ok
	}
	if answer, err = b.find(real); err != nil {
		return protocol.Answer{Error: err.Error()}, true
	}
	return answer, true
}

// The fields of kustomizations whose entries kustomize looks for first, and those whose entries can name a patch.
var (
	listFields  = []string{"resources", "bases", "components", "patchesStrategicMerge"}
	patchFields = []string{"patches", "patchesJson6902"}
)

// list records the entries of a kustomization that was read.
func (b *kustomizeBuild) list(file string, fields map[string]any) {
	var entries []string
	add := func(entry any) {
		if name, ok := entry.(string); ok && !strings.Contains(name, "\n") {
			entries = append(entries, name)
		}
	}
	for _, field := range listFields {
		items, _ := fields[field].([]any)
		for _, item := range items {
			add(item)
		}
	}
	for _, field := range patchFields {
		items, _ := fields[field].([]any)
		for _, item := range items {
			patch, _ := item.(map[string]any)
			add(patch["path"])
		}
	}
	if b.listed == nil {
		b.listed = map[string][]string{}
	}
	b.listed[path.Join(protocol.Root, file)] = entries
}

package reuse

import "github.com/salint/salint/internal/render/protocol"

// Lookup records what a build reads whose result is not known. It is used by one build.
type Lookup struct {
	cache   *Cache // nil keeps nothing
	store   Store
	request Digest
	read    []Read
}

// Record returns a function that answers queries as ask does, and records them. It forgets what was recorded before, for a build that
// begins again.
func (l *Lookup) Record(ask Ask) Ask {
	l.Forget()
	return func(q protocol.Query) protocol.Answer {
		answer := ask(q)
		l.read = append(l.read, readOf(q, answer))
		return answer
	}
}

// Forget forgets what was recorded.
func (l *Lookup) Forget() { l.read = nil }

// Keep adds the result of the build to the cache, and to the store.
func (l *Lookup) Keep(result *protocol.Result) {
	if l.cache == nil {
		return
	}
	e := Entry{Request: l.request, Read: l.read, Result: result}
	l.cache.add(&kept{Entry: e, size: sizeOf(e)})
	if l.store != nil {
		l.store.Save(e)
	}
}

// overhead is about what a query or object takes in memory in addition to its text.
const overhead = 96

func sizeOf(e Entry) int64 {
	result := e.Result
	size := int64(overhead * (1 + len(e.Read) + len(result.Objects) + len(result.Templates) + len(result.Sources)))
	for _, r := range e.Read {
		size += int64(len(r.Query.Path))
	}
	for _, object := range result.Objects {
		size += int64(len(object))
	}
	for _, t := range result.Templates {
		size += int64(len(t.Text) + len(t.Source) + len(t.Pieces)*len(protocol.Piece{})*8)
	}
	for _, s := range result.Sources {
		size += int64(len(s.Text))
	}
	return size
}

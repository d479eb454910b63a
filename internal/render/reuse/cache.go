package reuse

import (
	"container/list"
	"slices"
	"sync"

	"github.com/salint/salint/internal/render/protocol"
)

// DefaultMemory is the default limit of a cache in bytes.
const DefaultMemory = 128 << 20

// maxResults limits the results of one request, such as those of one overlay with different files.
const maxResults = 8

// Ask answers a query of a child.
type Ask func(protocol.Query) protocol.Answer

// Cache keeps results in memory, up to a limit of bytes; those that were not used for the longest time are dropped first. It is safe
// for concurrent use. Nothing in it depends on a run: a program that runs for a long time can keep one.
type Cache struct {
	limit int64

	mu      sync.Mutex
	size    int64
	results map[Digest][]*kept // by request
	order   *list.List         // of *kept, the last used first
}

// Entry is a result with all that it depends on.
type Entry struct {
	Request Digest
	Read    []Read
	Result  *protocol.Result
}

// Read is a query with the digest of its answer.
type Read struct {
	Query  protocol.Query
	Answer Digest
}

func readOf(q protocol.Query, a protocol.Answer) Read { return Read{q, DigestOf(a)} }

// Store keeps entries longer than a run. Cache does not take over what comes from a store.
type Store interface {
	// Load returns the entries of a request.
	Load(request Digest) []Entry
	// Save keeps an entry, or not.
	Save(Entry)
	// Found is called with whether an entry of Load had the result of a request.
	Found(e *Entry)
}

// kept is an entry in memory.
type kept struct {
	Entry
	size  int64
	place *list.Element
}

// New returns an empty cache with a limit of bytes.
func New(limit int64) *Cache {
	return &Cache{limit: limit, results: map[Digest][]*kept{}, order: list.New()}
}

// Key is what results depend on in addition to the request and the answers.
type Key struct {
	// Scope names what else decides on results, such as limits and versions.
	Scope string
	// Store is searched for results that are not in memory, and gets the others; nil for none.
	Store Store
}

// Find returns the result of a request if it is known for the answers that ask gives now; nil otherwise. The lookup keeps the result
// of a request that is not known. Results must not be changed.
func (c *Cache) Find(key Key, request protocol.Request, ask Ask) (*protocol.Result, *Lookup) {
	digest, ok := requestDigest(key.Scope, request)
	if !ok {
		return nil, &Lookup{}
	}
	look := &Lookup{cache: c, store: key.Store, request: digest}
	search := replay{ask: ask}
	for _, k := range c.candidates(digest) {
		if search.finds(k.Read) {
			c.used(k)
			return k.Result, look
		}
	}
	if key.Store == nil {
		return nil, look
	}
	for _, e := range key.Store.Load(digest) {
		if e.Request == digest && search.finds(e.Read) {
			key.Store.Found(&e)
			return e.Result, look
		}
	}
	key.Store.Found(nil)
	return nil, look
}

// candidates returns the entries of a request.
func (c *Cache) candidates(request Digest) []*kept {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.results[request] // add and drop make a new list
}

// replay asks recorded queries again. It asks no query that a build would not ask: only an entry with the queries and answers so far
// says what comes next.
type replay struct {
	ask   Ask
	asked []Read
}

// finds reports whether all answers are those of an entry.
func (r *replay) finds(recorded []Read) bool {
	if len(recorded) < len(r.asked) {
		return false // a build would have asked no more
	}
	for i, read := range recorded {
		if i == len(r.asked) {
			if r.ask == nil {
				return false
			}
			r.asked = append(r.asked, readOf(read.Query, r.ask(read.Query)))
		}
		if r.asked[i] != read {
			return false
		}
	}
	return true
}

// used moves a result to the front, unless it was dropped in the meantime.
func (c *Cache) used(k *kept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.place != nil {
		c.order.MoveToFront(k.place)
	}
}

// add adds a result, and drops others if there is no room.
func (c *Cache) add(k *kept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.size > c.limit/2 { // it would drop all others
		return
	}
	if all := c.results[k.Request]; len(all) >= maxResults {
		c.drop(all[0])
	}
	c.results[k.Request] = append(slices.Clip(c.results[k.Request]), k)
	k.place = c.order.PushFront(k)
	c.size += k.size
	for c.size > c.limit {
		c.drop(c.order.Back().Value.(*kept))
	}
}

// drop removes a result.
func (c *Cache) drop(k *kept) {
	c.order.Remove(k.place)
	k.place = nil
	c.size -= k.size
	var rest []*kept
	for _, other := range c.results[k.Request] {
		if other != k {
			rest = append(rest, other)
		}
	}
	if len(rest) == 0 {
		delete(c.results, k.Request)
		return
	}
	c.results[k.Request] = rest
}

// Size returns the bytes of all results, approximately.
func (c *Cache) Size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size
}

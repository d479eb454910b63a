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
	// siblings are those that can be results of siblings, by Siblings.digest.
	siblings map[Digest][]*kept
	order    *list.List // of *kept, the last used first
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
	// siblings identifies the requests of siblings that can have the result, if all of relative are their answers; nil for none.
	siblings Digest
	relative []Read
	size     int64
	place    *list.Element
}

// New returns an empty cache with a limit of bytes.
func New(limit int64) *Cache {
	return &Cache{limit: limit, results: map[Digest][]*kept{}, siblings: map[Digest][]*kept{}, order: list.New()}
}

// Key is what results depend on in addition to the request and the answers.
type Key struct {
	// Scope names what else decides on results, such as limits and versions.
	Scope string
	// Store is searched for results that are not in memory, and gets the others; nil for none.
	Store Store
	// Siblings describes the folder that is built, if its result can be that of another one; nil for none.
	Siblings *Siblings
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
	for _, k := range c.candidates(c.results, digest) {
		if search.finds(k.Read) {
			c.used(k)
			return k.Result, look
		}
	}
	if result := c.ofSibling(key, request, look, search); result != nil {
		return result, look
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

// ofSibling returns the result of a sibling, or nil, and prepares the lookup for siblings. It is called after a search without a
// result. With a store, which has no siblings, it does nothing.
func (c *Cache) ofSibling(key Key, request protocol.Request, look *Lookup, before replay) *protocol.Result {
	digest, ok := key.Siblings.digest(key.Scope, request)
	if !ok || key.Store != nil {
		return nil
	}
	look.siblings, look.folder, look.allowed = digest, key.Siblings.folder(), key.Siblings.Allowed
	search := replay{ask: before.ask, folder: look.folder}
	for i, k := range c.candidates(c.siblings, digest) {
		if i == 0 && len(before.asked) > 0 {
			key.Siblings.Again()
		}
		if search.finds(k.relative) {
			c.used(k)
			return k.Result
		}
	}
	return nil
}

// candidates returns the entries of a request in one of the maps.
func (c *Cache) candidates(in map[Digest][]*kept, request Digest) []*kept {
	c.mu.Lock()
	defer c.mu.Unlock()
	return in[request] // add and drop make a new list
}

// replay asks recorded queries again. It asks no query that a build would not ask: only an entry with the queries and answers so far
// says what comes next.
type replay struct {
	ask Ask
	// folder is set if the entries are relative to it.
	folder folder
	asked  []Read
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
			r.asked = append(r.asked, r.again(read.Query))
		}
		if r.asked[i] != read {
			return false
		}
	}
	return true
}

// again asks a recorded query. The result is like no recorded one if the answer is not relative to the folder.
func (r *replay) again(query protocol.Query) Read {
	if r.folder.path == "" {
		return readOf(query, r.ask(query))
	}
	query.Path = r.folder.absolute(query.Path)
	answer := r.ask(query)
	read, _ := r.folder.relativeRead(readOf(query, answer), answer)
	return read
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
	if k.relative != nil {
		all := c.siblings[k.siblings]
		c.siblings[k.siblings] = append(slices.Clip(all[max(0, len(all)-maxResults+1):]), k)
	}
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
	remove(c.results, k.Request, k)
	remove(c.siblings, k.siblings, k)
}

// remove removes an entry from a map.
func remove(from map[Digest][]*kept, key Digest, k *kept) {
	var rest []*kept
	for _, other := range from[key] {
		if other != k {
			rest = append(rest, other)
		}
	}
	if len(rest) == 0 {
		delete(from, key)
		return
	}
	from[key] = rest
}

// Size returns the bytes of all results, approximately.
func (c *Cache) Size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size
}

package lint

import (
	"bytes"
	"context"
	"strings"
	"sync"

	"github.com/salint/salint/internal/assemble/loader"
)

// firstUnknown returns the first file that may hold manifests and of which nothing was read.
func (r *run) firstUnknown() (loader.Unread, bool) {
	for _, u := range r.Collection.Unread {
		if u.Unknown() {
			return u, true
		}
	}
	return loader.Unread{}, false
}

// unreadWith returns a place that may contain one of the words and was not read, with the reason: a file, a document that is
// invalid or unsupported, or an excluded manifest.
func (r *run) unreadWith(ctx context.Context, words []string) (place, why string) {
	if u, found := r.firstUnknown(); found {
		return u.Place, u.Reason
	}
	for _, all := range [][]loader.Unread{r.Parsed.Unread, r.Collection.Unread, r.unsupported(), r.excluded(ctx)} {
		for _, u := range all {
			if containsAny(u.Text(), words) {
				return u.Place, u.Reason
			}
		}
	}
	return "", ""
}

// unsupported returns the bindings of OpenShift's own API group. Each fix asks for them, and they are looked for once.
func (r *run) unsupported() []loader.Unread {
	s := &r.unread
	s.unsupportedOnce.Do(func() {
		for _, o := range r.Parsed.Objects {
			if o.Group == loader.LegacyGroup && strings.HasSuffix(o.Kind, "RoleBinding") {
				s.unsupportedBindings = append(s.unsupportedBindings, loader.Unread{
					File: o.File, Reading: loader.Unsupported, Place: o.Position(nil).String(),
					Reason: "bindings of " + loader.LegacyGroup + " are not supported", Doc: o.Doc, Data: o.Doc.Bytes(),
				})
			}
		}
	})
	return s.unsupportedBindings
}

// excluded returns the excluded files with bindings. It reads them once.
func (r *run) excluded(ctx context.Context) []loader.Unread {
	r.unread.excludedOnce.Do(func() {
		for _, path := range r.judging.mentions.excluded(ctx) {
			data, err := r.Snapshot.Tree.Read(path)
			if err == nil && bytes.Contains(data, []byte("RoleBinding")) {
				r.unread.excludedBindings = append(r.unread.excludedBindings, loader.Unread{
					File: path, Reading: loader.Excluded, Place: path, Reason: "it is excluded or ignored", Data: data,
				})
			}
		}
	})
	return r.unread.excludedBindings
}

func containsAny(data []byte, words []string) bool {
	for _, word := range words {
		if bytes.Contains(data, []byte(word)) {
			return true
		}
	}
	return false
}

// unreadBindings are bindings that were not read, each kind looked for once.
type unreadBindings struct {
	excludedOnce     sync.Once
	excludedBindings []loader.Unread

	unsupportedOnce     sync.Once
	unsupportedBindings []loader.Unread
}

package uses

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
)

// firstUnread returns the first file that may hold manifests and of which nothing was read.
func (i *Index) firstUnread() (loader.Unread, bool) {
	for _, u := range i.from.Collection.Unread {
		if u.Unknown() {
			return u, true
		}
	}
	return loader.Unread{}, false
}

// FirstUnread returns the first file that may hold manifests and of which nothing was read, with the reason; "" if there is none.
func (i *Index) FirstUnread() (place, why string) {
	u, _ := i.firstUnread()
	return u.Place, u.Reason
}

// UnreadWith returns a place that may contain one of the words and was not read, with the reason: a file, a document that is
// invalid or unsupported, or an excluded manifest.
func (i *Index) UnreadWith(ctx context.Context, words []string) (place, why string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if u, found := i.firstUnread(); found {
		return u.Place, u.Reason
	}
	if i.bindings == nil {
		i.bindings = append(i.unsupported(), i.excludedBindings(ctx)...)
	}
	for _, u := range slices.Concat(i.from.Parsed.Unread, i.from.Collection.Unread, i.bindings) {
		if containsAny(u.Text(), words) {
			return u.Place, u.Reason
		}
	}
	return "", ""
}

// unsupported returns the bindings of OpenShift's own API group.
func (i *Index) unsupported() []loader.Unread {
	found := []loader.Unread{}
	for _, o := range i.from.Parsed.Objects {
		if o.Group == loader.LegacyGroup && strings.HasSuffix(o.Kind, "RoleBinding") {
			found = append(found, loader.Unread{
				File: o.File, Reading: loader.Unsupported, Place: o.Position(nil).String(),
				Reason: "bindings of " + loader.LegacyGroup + " are not supported", Doc: o.Doc, Data: o.Doc.Bytes(),
			})
		}
	}
	return found
}

// excludedBindings returns the excluded files with bindings.
func (i *Index) excludedBindings(ctx context.Context) []loader.Unread {
	var found []loader.Unread
	excluded, _ := i.excluded(ctx)
	for _, path := range excluded {
		data, err := i.from.Tree.Read(path)
		if err == nil && bytes.Contains(data, []byte("RoleBinding")) {
			found = append(found, loader.Unread{
				File: path, Reading: loader.Excluded, Place: path, Reason: "it is excluded or ignored", Data: data,
			})
		}
	}
	return found
}

func containsAny(data []byte, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(data, []byte(word)) })
}

package lint

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/salint/salint/internal/assemble/loader"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/kube/objects"
)

// unread gives a file that may hold manifests and was not read, and why.
func (r *run) unread() (place, why string) {
	for _, skip := range r.library.skipped {
		if skip.Unreadable || skip.TooLarge {
			return skip.Path, skip.Reason
		}
	}
	return "", ""
}

// unreadWith gives a place that may say one of the words, and was not read: a file, a document that is broken, or a
// manifest that the configuration excludes.
func (r *run) unreadWith(ctx context.Context, words []string) (place, why string) {
	if place, why := r.unread(); place != "" {
		return place, why
	}
	for _, doc := range r.library.broken {
		if says(doc.Bytes(), words) {
			line, _ := doc.File.Position(doc.Span.Start)
			return fmt.Sprintf("%s:%d", doc.File.Path, line), "it is not valid YAML"
		}
	}
	for _, f := range r.library.noText {
		if says(objects.SearchText(f.Path, f.Data), words) {
			return f.Path, "it is no text in UTF-8"
		}
	}
	for _, o := range r.library.objects {
		if o.Group == loader.LegacyGroup && strings.HasSuffix(o.Kind, "RoleBinding") && says(o.Doc.Bytes(), words) {
			return o.Position(nil).String(), "bindings of " + loader.LegacyGroup + " are not understood"
		}
	}
	for _, f := range r.excludedBindings(ctx) {
		if says(f.Data, words) {
			return f.Path, "it is excluded or ignored"
		}
	}
	return "", ""
}

// excludedBindings are the excluded files with bindings, read once.
func (r *run) excludedBindings(ctx context.Context) []repo.File {
	r.excludedOnce.Do(func() {
		for _, path := range r.judging.mentions.excluded(ctx) {
			data, err := r.Tree.Read(path)
			if err == nil && bytes.Contains(data, []byte("RoleBinding")) {
				r.excluded = append(r.excluded, repo.File{Path: path, Size: int64(len(data)), Data: data})
			}
		}
	})
	return r.excluded
}

func says(data []byte, words []string) bool {
	for _, word := range words {
		if bytes.Contains(data, []byte(word)) {
			return true
		}
	}
	return false
}

package gitops

import (
	"strconv"
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/view"
)

// parseImage reads an image as `kustomize edit set image` does, and so Argo CD: name=newName:tag, name=newName@digest,
// name:tag, name@digest. The last colon begins a tag, or a port if a slash follows.
func parseImage(text view.Field[string]) Image {
	name, replaced, renamed := strings.Cut(text.Value, "=")
	if !renamed {
		name, replaced = "", text.Value
	}
	image := Image{Name: name, NewName: replaced, Location: text.Location}
	if before, digest, found := strings.Cut(replaced, "@"); found {
		image.NewName, image.Digest = before, digest
		replaced = before
	}
	if i := strings.LastIndexByte(replaced, ':'); i > 0 && image.Digest == "" && !strings.Contains(replaced[i:], "/") {
		image.NewName, image.NewTag = replaced[:i], replaced[i+1:]
	}
	if !renamed {
		image.Name, image.NewName = image.NewName, ""
	}
	return image
}

// number returns an integer, written as a number or as a string.
func number(value any) (int64, bool) {
	switch value := value.(type) {
	case int64:
		return value, true
	case float64:
		return int64(value), value == float64(int64(value))
	case string:
		parsed, err := strconv.ParseInt(value, 10, 64)
		return parsed, err == nil
	}
	return 0, false
}

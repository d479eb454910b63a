package sources

import (
	"strings"

	"github.com/salint/salint/internal/assemble/gitops/view"
)

// ParseImage reads an image as `kustomize edit set image` does, and so Argo CD: name=newName:tag, name=newName@digest,
// name:tag, name@digest. The last colon begins a tag, or a port if a slash follows.
func ParseImage(text view.Field[string]) Image {
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

package render

import (
	"fmt"
	"path"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/redact"
	"github.com/salint/salint/internal/kube/objects"
)

// shown returns kustomize's message, or if it may quote data of a Secret among the files that it read, where to find it.
func (b *kustomizeBuild) shown(message string) string {
	if !b.hiddenWords().Has(saysItself().ReplaceAllString(message, "")) {
		return message
	}
	return fmt.Sprintf("the message is not shown, because it may quote data of a Secret: `kustomize build %s` prints it", b.dir)
}

// saysItself are parts of kustomize's messages that name what it did and the position, and quote nothing.
var saysItself = lazyregexp.New(`accumulating resources: accumulation err='|accumulating resources from|yaml: line \d+`)

// hiddenWords returns the words of what must not be shown of the files that were read.
func (b *kustomizeBuild) hiddenWords() redact.Words {
	words := redact.Words{}
	files := map[string][]byte{}
	generating := map[string]bool{}
	for name := range b.wasRead {
		data, err := b.files.ReadFile(name)
		if err != nil {
			continue
		}
		files[name] = data
		if objects.IsKustomizationFile(name) {
			for _, base := range redact.GeneratorFiles(name, data) {
				generating[base] = true
			}
		}
	}
	for name, data := range files {
		words.AddManifest(name, data)
		if generating[path.Base(name)] {
			words.AddText(string(data))
		}
	}
	for name, data := range b.inflated {
		words.AddManifest(name, data)
	}
	return words
}

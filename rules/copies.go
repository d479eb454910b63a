package rules

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/salint/salint/rules/metadata"
)

// copies are the files of policies that were read, by what they do: a repository can have a copy of the policies of its platform.
type copies struct{ names map[string]string }

// remove returns the files without those that are copies of files of other folders, byte by byte, in the same place of Rego's data document.
func (c *copies) remove(files []*metadata.File, documents []metadata.Document) ([]*metadata.File, []metadata.Document) {
	if c.names == nil {
		c.names = map[string]string{}
	}
	var read [][2]string
	isCopy := func(name, key string) bool {
		read = append(read, [2]string{key, filepath.Clean(name)})
		first, known := c.names[key]
		return known && first != filepath.Clean(name)
	}
	files = slices.DeleteFunc(files, func(f *metadata.File) bool {
		return !f.IsTest() && isCopy(f.Name, "policy\x00"+string(f.Source))
	})
	documents = slices.DeleteFunc(documents, func(d metadata.Document) bool {
		return isCopy(d.Name, "data\x00"+strings.Join(d.Path, "/")+"\x00"+string(d.Source))
	})
	for _, r := range read { // after the folder, in which two files of the same content remain a mistake
		if _, known := c.names[r[0]]; !known {
			c.names[r[0]] = r[1]
		}
	}
	return files, documents
}

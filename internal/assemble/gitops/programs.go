package gitops

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/salint/salint/internal/assemble/gitops/sources"
	"github.com/salint/salint/internal/assemble/gitops/view"
)

// Program is a file that a program turns into objects.
type Program struct {
	File string
	// Digest differs if the file, or another one of the folder that it can import, differs.
	Digest   string
	Location view.Location
}

// addPrograms records the files of Jsonnet that Argo CD evaluates in a directory.
func (r *reader) addPrograms(a *Application, s sources.Source) {
	programs := r.files.tree.Programs(s.Path.Value)
	for _, file := range s.Contents(programs).Skipped {
		a.Programs = append(a.Programs, Program{File: file, Digest: r.files.digestOf(file, programs), Location: s.Path.Location})
		a.NotChecked = append(a.NotChecked, Reason{
			Location: s.Path.Location, Program: true, Message: "the objects of " + file + " were not checked: Argo CD evaluates it, and salint evaluates no Jsonnet",
		})
	}
}

// digestOf returns the digest of a file of Jsonnet with all of its folder, of which it can import any.
func (f *files) digestOf(file string, programs []string) string {
	hash := sha256.New()
	for _, name := range append([]string{file}, programs...) {
		data, err := f.tree.ReadAtMost(name, maxData)
		if err != nil {
			data = []byte(err.Error())
		}
		hash.Write([]byte(name + "\x00"))
		hash.Write(data)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

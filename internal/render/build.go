package render

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/render/wire"
)

// build is one build of a folder, seen from the side that has the files.
type build struct {
	files  Files
	dir    string
	limit  int64 // how many bytes may still be read
	asked  int
	remote func(RemoteError)
	// noLines is true when nobody asks for the lines of origins.
	noLines bool

	// root is the kustomization file of the folder that is built, once it was read.
	root string
	// keepOrigins is true when the user wants to see kustomize's annotations of origin.
	keepOrigins bool
	// refusal is why something was not handed out, the first time.
	refusal error
}

// maxQueries is how often a build may ask for something: overlays that use others twice, which use others twice, grow
// faster than any repository.
const maxQueries = 100_000

// answer answers a query of the child. What is refused is remembered, for kustomize tries several ways to read a thing and
// reports on the last.
func (b *build) answer(query wire.Query) wire.Answer {
	answer, err := b.look(query)
	if err == nil {
		return answer
	}
	if b.refusal == nil && !errors.Is(err, fs.ErrNotExist) {
		b.refusal = err
	}
	return wire.Answer{Error: err.Error()}
}

func (b *build) look(query wire.Query) (wire.Answer, error) {
	if b.asked++; b.asked > maxQueries {
		return wire.Answer{}, tooMuch("%s: stopped: the build reads more than %d files", b.dir, maxQueries)
	}
	name, err := relative(query.Path)
	if err != nil {
		return wire.Answer{}, err
	}
	real, err := resolve(b.files, name)
	if err != nil {
		return wire.Answer{}, err
	}
	if query.Read {
		data, err := b.read(real)
		return wire.Answer{Data: data}, err
	}
	answer := wire.Answer{Path: path.Join(wire.Root, real), Dir: isDir(b.files, real)}
	if !answer.Dir && !exists(b.files, real) {
		return wire.Answer{}, missing(real)
	}
	return answer, nil
}

// missing says that there is no such file. Where a field takes a text or a file, kustomize looks for a file first: a text is
// not for a message, for it may be a Secret.
func missing(name string) error {
	if strings.Contains(name, "\n") {
		name = "a text of several lines"
	}
	return fmt.Errorf("%s: %w", name, fs.ErrNotExist)
}

// relative turns a path that kustomize asks for into one of the tree.
func relative(asked string) (string, error) {
	if asked == wire.Root {
		return ".", nil
	}
	name, inside := strings.CutPrefix(asked, wire.Root+"/")
	if !inside || !fs.ValidPath(name) {
		return "", &Error{File: asked, Message: "lies outside of the repository: nothing there is read"}
	}
	return name, nil
}

func (b *build) read(name string) ([]byte, error) {
	data, err := b.files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if b.limit -= int64(len(data)); b.limit < 0 {
		return nil, tooMuch("%s: stopped: the build reads too much; %s was one file too many", b.dir, name)
	}
	if !objects.IsKustomizationFile(name) {
		return data, nil
	}
	return b.kustomization(name, data)
}

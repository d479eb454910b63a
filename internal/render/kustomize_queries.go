package render

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rendered"
	"github.com/salint/salint/internal/render/protocol"
)

// kustomizeBuild is one build of a folder in the parent process, which has the files.
type kustomizeBuild struct {
	reason Reason
	files  Files
	dir    string
	limit  int64 // bytes that may still be read
	asked  int
	// withoutRemote is set if remote entries are left out; remotes are these.
	withoutRemote bool
	remotes       []RemoteError
	// unrestricted lets kustomizations read files outside of their folders.
	unrestricted bool
	// noLines is set if the lines of origins are not needed.
	noLines bool
	// noFiles is set if kustomize does not record the files of objects.
	noFiles bool

	ctx     context.Context
	workers *Workers
	// partial is set if entries can be left out: those in skip, with the reason, and those that salint cannot build. left are all
	// of them.
	partial bool
	skip    map[Entry]string
	left    []LeftOut
	notes   []string
	// inflated are the objects of charts, as files that exist only in this build; fromCharts are their origins.
	charts     map[string]inflation
	inflated   map[string][]byte
	fromCharts []rendered.Origin
	namespaces chartNamespaces

	// root is the kustomization file of the built folder, once it was read.
	root string
	// keepOrigins is set if the user configured kustomize's origin annotations.
	keepOrigins bool
	// wasRead are the files that were returned.
	wasRead map[string]bool
	// refusal is the first error because of which a file was not returned.
	refusal error
	// listed are the entries of the kustomizations that were returned, by their paths as kustomize sees them.
	listed map[string][]string
}

// maxQueries limits the queries of a build: overlays that use others twice, which use others twice, grow exponentially.
const maxQueries = 100_000

// answer answers a query of the child. It records the first refusal, because kustomize tries several ways to read a file
// and reports only the last.
func (b *kustomizeBuild) answer(query protocol.Query) protocol.Answer {
	answer, err := b.look(query)
	if err == nil {
		return answer
	}
	if b.refusal == nil && !errors.Is(err, fs.ErrNotExist) {
		b.refusal = err
	}
	return protocol.Answer{Error: err.Error()}
}

func (b *kustomizeBuild) look(query protocol.Query) (protocol.Answer, error) {
	if b.asked++; b.asked > maxQueries {
		return protocol.Answer{}, tooMuch("%s: stopped: the build reads more than %d files", b.dir, maxQueries)
	}
	name, err := relative(query.Path)
	if err != nil {
		return protocol.Answer{}, err
	}
	if data, ok := b.inflated[name]; ok {
		return protocol.Answer{Path: query.Path, Data: data}, nil
	}
	real, err := Resolve(b.files, name)
	if err != nil {
		return protocol.Answer{}, err
	}
	if query.Read {
		data, err := b.read(real)
		return protocol.Answer{Data: data}, err
	}
	return b.find(real)
}

// find returns the answer to a query that only tests whether a name without symlinks exists.
func (b *kustomizeBuild) find(real string) (protocol.Answer, error) {
	answer := protocol.Answer{Path: path.Join(protocol.Root, real), Dir: isDir(b.files, real)}
	if !answer.Dir && !exists(b.files, real) {
		return protocol.Answer{}, missing(real)
	}
	return answer, nil
}

// missing returns the error for a file that does not exist. If a field can contain a text or a file, kustomize looks for a
// file first; the text can be a Secret and must not appear in a message.
func missing(name string) error {
	if strings.Contains(name, "\n") {
		name = "a value of several lines"
	}
	return fmt.Errorf("%s: %w", name, fs.ErrNotExist)
}

// relative converts a path of kustomize to one of the tree.
func relative(asked string) (string, error) {
	if asked == protocol.Root {
		return ".", nil
	}
	name, inside := strings.CutPrefix(asked, protocol.Root+"/")
	if !inside || !fs.ValidPath(name) {
		return "", &Error{File: asked, Message: Outside}
	}
	return name, nil
}

func (b *kustomizeBuild) read(name string) ([]byte, error) {
	data, err := b.files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if b.wasRead == nil {
		b.wasRead = map[string]bool{}
	}
	b.wasRead[name] = true
	if b.limit -= int64(len(data)); b.limit < 0 {
		return nil, tooMuch("%s: stopped: the build reads too much: it exceeds the limit at %s", b.dir, name)
	}
	var large *manifest.SyntaxError
	if errors.As(manifest.CheckLimits(name, data), &large) { // kustomize would expand it until it exceeds its limits
		return nil, &Error{File: name, Line: large.Line, Column: large.Column, Message: large.Message}
	}
	if !objects.IsKustomizationFile(name) {
		return data, nil
	}
	return b.kustomization(name, data)
}

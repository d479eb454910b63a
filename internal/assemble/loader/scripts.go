package loader

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/textpaths"
)

// scripts are the texts of a repository that can hold commands. They are read when kustomize refuses a folder because of a file that does
// not exist.
type scripts struct {
	collector Collector
	names     []string

	once sync.Once
	text []byte
}

// makes reports whether a script may write a file that does not exist, before the build.
func (s *scripts) makes(file string) bool {
	s.once.Do(s.read)
	for line := range bytes.Lines(s.text) {
		if bytes.Contains(line, []byte(path.Base(file))) && writes().Match(line) {
			return true
		}
	}
	return false
}

// writes matches a command that can write a file.
var writes = lazyregexp.New(`>|\b(?:tee|cp|mv|ln|curl|wget|sed|envsubst|openssl)\b|\s(?:-o|--output)\b`)

// read reads the texts. One that cannot be read names nothing.
func (s *scripts) read() {
	var mu sync.Mutex
	files := slices.Clone(s.names)
	options := s.collector.Walk
	options.Others, options.Exclude, options.Texts = true, nil, nil
	_, err := s.collector.Tree.Walk(context.Background(), options, func(f repo.File) {
		mu.Lock()
		defer mu.Unlock()
		files = append(files, f.Path)
	})
	if err != nil {
		return // the walk that read the manifests reports it
	}
	slices.Sort(files)
	for _, file := range slices.Compact(files) {
		if !textpaths.MayBuild(file) || !isScript(file) {
			continue
		}
		if data, err := s.collector.Tree.Text(file); err == nil {
			s.text = append(append(s.text, data...), '\n')
		}
	}
}

// isScript reports whether a text holds commands rather than manifests or prose.
func isScript(file string) bool {
	base := path.Base(file)
	switch path.Ext(base) {
	case ".md", ".txt", ".json", "":
		return base == "Makefile" || base == "Justfile" || base == "justfile" || base == "Dockerfile"
	case ".yaml", ".yml":
		return strings.HasPrefix(file, ".") || strings.HasPrefix(base, "Taskfile") || strings.HasPrefix(base, ".") || strings.Contains(base, "pipeline")
	}
	return true
}

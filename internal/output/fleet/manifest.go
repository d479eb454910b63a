package fleet

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/salint/salint/internal/base/encoding"
	"github.com/salint/salint/internal/files/regular"
)

// ManifestName is the name of a manifest in a folder of reports. It has the form of sha256sum: a hash, two spaces, and a path from the folder.
const ManifestName = "SHA256SUMS"

// maxManifest is the size of the largest manifest.
const maxManifest = 64 << 20

// manifest writes the hashes of all files that can be reports. Paths in a single folder are relative to it.
func (o Options) manifest(w io.Writer) error {
	names, err := reportFiles(o.Dir, o.Paths)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return ErrNoReports
	}
	for _, name := range names {
		hash, err := hashOf(absolute(o.Dir, name))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := fmt.Fprintf(w, "%s  %s\n", hash, o.inFolder(name)); err != nil {
			return err
		}
	}
	return nil
}

// inFolder returns the path of a report in the folder of the command line, if there is only one.
func (o Options) inFolder(name string) string {
	if len(o.Paths) != 1 {
		return name
	}
	rel, err := filepath.Rel(absolute(o.Dir, o.Paths[0]), absolute(o.Dir, name))
	if err != nil || rel == "." {
		return path.Base(name)
	}
	return filepath.ToSlash(rel)
}

func hashOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", regular.Cause(err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", regular.Cause(err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// compareManifests compares the reports with the manifests in the folders of the command line.
func (c *collector) compareManifests(files []string) {
	for _, dir := range c.Paths {
		name := filepath.ToSlash(filepath.Join(dir, ManifestName))
		data, err := regular.ReadFile(absolute(c.Dir, name), maxManifest)
		if err != nil {
			continue // a file, or a folder without a manifest
		}
		c.compareManifest(dir, name, encoding.UTF8(data), files)
	}
}

func (c *collector) compareManifest(dir, name string, data []byte, files []string) {
	listed := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		hash, file, ok := strings.Cut(strings.TrimRight(lines.Text(), "\r"), "  ")
		if !ok {
			c.problem(name, "has a line without a hash and a path: %q", lines.Text())
			continue
		}
		file = filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(file)))
		listed[file] = true
		switch now, err := hashOf(absolute(c.Dir, file)); {
		case err != nil:
			c.problem(file, "is listed in %s, and cannot be read: %v", name, err)
		case now != hash:
			c.problem(file, "has another hash than in %s: it was changed after the manifest was written", name)
		}
	}
	for _, file := range files {
		if rel, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(file)); err == nil && filepath.IsLocal(rel) && !listed[file] {
			c.problem(file, "is not listed in %s", name)
		}
	}
	if len(listed) == 0 {
		c.problem(name, "lists no reports")
	}
}

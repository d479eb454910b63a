// Package repository writes small Git repositories.
package repository

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// URL is the address of the remote `origin` of every repository, so Applications and GitRepositories with it mean the repository itself.
const URL = "https://git.example.com/team/repo.git"

// Repository is the content of files by slash-separated path.
type Repository map[string]string

// Parse reads a repository from a txtar archive.
func Parse(data []byte) Repository {
	r := Repository{}
	for _, file := range txtar.Parse(data).Files {
		r[file.Name] = string(file.Data)
	}
	return r
}

// String returns the repository as a txtar archive, sorted by path.
func (r Repository) String() string {
	archive := &txtar.Archive{}
	for _, name := range r.Names() {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(r[name])})
	}
	return string(txtar.Format(archive))
}

// Names returns the sorted paths.
func (r Repository) Names() []string { return slices.Sorted(maps.Keys(r)) }

// Write writes the files below dir.
func (r Repository) Write(dir string) error {
	for name, content := range r {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Commit writes the files below dir and makes it a Git repository of one commit with the remote origin.
func (r Repository) Commit(dir string) error {
	if err := r.Write(dir); err != nil {
		return err
	}
	for _, arguments := range [][]string{
		{"init", "--quiet", "--initial-branch=main"},
		{"remote", "add", "origin", URL},
		{"add", "--all", "--force"},
		{"-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message=test"},
	} {
		if _, err := Git(dir, arguments...); err != nil {
			return err
		}
	}
	return nil
}

// Git runs git in dir, without the settings of the user, and returns its output.
func Git(dir string, arguments ...string) (string, error) {
	command := exec.Command("git", arguments...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	output, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(arguments, " "), err, output)
	}
	return string(output), nil
}

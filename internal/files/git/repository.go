package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// gitOptions prevent git from starting programs that the repository's configuration names, and from applying settings of
// the user that change the output. Nothing is fetched.
var gitOptions = []string{
	"--no-pager", "--literal-pathspecs",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.excludesFile=" + os.DevNull,
	"-c", "core.attributesFile=" + os.DevNull,
	"-c", "diff.orderFile=" + os.DevNull,
	"-c", "protocol.allow=never",
}

// Repository asks git about a work tree. Nothing is changed, nothing is fetched, and no program that the repository names is started.
type Repository struct {
	// root is the root of the work tree or, without git, the folder that is read.
	root       string
	isWorkTree bool
	files      fs.FS // the files in root

	mu    sync.Mutex
	bases map[string]string // revision → commit that Changed and Base compare with
	heads map[string]bool   // name → whether it is that of the commit that is checked out
	// noFilters are the settings without which git would start programs that convert the files which it reads.
	noFilters []string
	ignored   trackedIgnored
}

// New returns the repository whose work tree has a root; isWorkTree is false for a folder without git. files are the files in
// the folder.
func New(root string, isWorkTree bool, files fs.FS) *Repository {
	return &Repository{root: root, isWorkTree: isWorkTree, files: files, bases: map[string]string{}, heads: map[string]bool{}}
}

// git runs the git program in the root of the repository, without a shell, and returns its output.
func (r *Repository) git(ctx context.Context, args ...string) ([]byte, error) {
	if !r.isWorkTree {
		return nil, fmt.Errorf("%s is not in a git repository, so changes cannot be detected", r.root)
	}
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, errNoGit
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, append(gitOptions[:len(gitOptions):len(gitOptions)], args...)...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.root, withSettings(gitEnv(os.Environ()), r.noFilters), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &gitError{command: args[0], message: strings.TrimSpace(stderr.String()), err: err}
	}
	return stdout.Bytes(), nil
}

var errNoGit = errors.New("comparing with a revision needs the program git, which is not in the PATH")

// gitError is a failed run of git.
type gitError struct {
	command, message string
	err              error
}

func (e *gitError) Error() string {
	if errors.Is(e, errMissingObject) {
		return errMissingObject.Error()
	}
	if e.message == "" {
		return fmt.Sprintf("git %s: %v", e.command, e.err)
	}
	return fmt.Sprintf("git %s: %s", e.command, e.message)
}

// Unwrap returns why git failed.
func (e *gitError) Unwrap() error {
	if strings.Contains(e.message, "promisor remote") || strings.Contains(e.message, "lazy fetching disabled") {
		return errMissingObject
	}
	return e.err
}

// gitEnv is the environment for git. Commit hooks run with variables that point to another index or work tree, and some
// variables name programs to start. Of git's own variables only those stay that locate the user's configuration
// (safe.directory).
func gitEnv(environ []string) []string {
	env := []string{"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		if name == "LC_ALL" || strings.HasPrefix(name, "GIT_") && !namesConfig(name) {
			continue
		}
		env = append(env, v)
	}
	return env
}

// disableFilters empties the commands of all filters in git's configuration, which convert a file of the work tree when git compares
// it. Attributes, which say for which files a filter is, are in the repository, so everyone who can change a file can choose the
// files, and an archive of a repository can bring the configuration, too. A file that a filter converts, such as one of Git LFS,
// can therefore be listed as changed although it is not.
func (r *Repository) disableFilters(ctx context.Context) error {
	out, err := r.query(ctx, "config", "--null", "--name-only", "--get-regexp", `^filter\.`)
	if err != nil {
		return err
	}
	var settings []string
	for name := range strings.SplitSeq(out, "\x00") {
		switch {
		case strings.HasSuffix(name, ".clean"), strings.HasSuffix(name, ".smudge"), strings.HasSuffix(name, ".process"):
			settings = append(settings, name, "")
		case strings.HasSuffix(name, ".required"):
			settings = append(settings, name, "false")
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noFilters = settings
	return nil
}

// withSettings adds settings of git, as pairs of name and value, to an environment. A name can contain an equals sign, so that
// they cannot be arguments.
func withSettings(env, settings []string) []string {
	const counter = "GIT_CONFIG_COUNT="
	count := 0
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, counter); ok {
			count, _ = strconv.Atoi(value)
		}
	}
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, counter) })
	for ; len(settings) > 1; settings = settings[2:] {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", count, settings[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", count, settings[1]))
		count++
	}
	return append(env, counter+strconv.Itoa(count))
}

func namesConfig(name string) bool {
	switch name {
	case "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT":
		return true
	}
	return strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

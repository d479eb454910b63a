package metadata

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// likePolicy matches the names of copies of policies, with the name of the original.
var likePolicy = regexp.MustCompile(`^#?(.+\.(?i:rego))(?:~|#|[._-].+)$`)

// stray is what looks like a part of the policies and is not loaded.
type stray struct {
	problem string
	// fails is set for what can only be a mistake.
	fails bool
}

// Strays returns what looks like a policy, data, or examples below a root and is not loaded. An error is what can only be a mistake: a name
// in another letter case, and a link to a folder. The rest is a note: a policy with another extension, unless it is a copy of one beside it,
// examples with another name, and an empty folder. The prefix is added to the names.
func Strays(root fs.FS, prefix string) (notes []string, err error) {
	var problems []error
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
			return err
		case d.IsDir() && strings.HasPrefix(path.Base(name), "."):
			return fs.SkipDir
		case strings.HasPrefix(path.Base(name), "."):
			return nil // editors keep their files so
		}
		found, err := strayOf(root, name, d)
		text := path.Join(prefix, name) + " " + found.problem
		switch {
		case found.problem == "":
		case found.fails:
			problems = append(problems, errors.New(text))
		default:
			notes = append(notes, text)
		}
		return err
	})
	return notes, errors.Join(append(problems, err)...)
}

func strayOf(root fs.FS, name string, d fs.DirEntry) (stray, error) {
	base := path.Base(name)
	extension := path.Ext(base)
	switch {
	case d.IsDir():
		return emptyFolder(root, name)
	case isFolderLink(root, name, d):
		return stray{"is a link to a folder, which is not followed, so no rule in it is evaluated: name that folder under `policies:`, too", true}, nil
	case extension != ".rego" && strings.EqualFold(extension, ".rego"):
		return stray{fmt.Sprintf("is not loaded, because the extension of policies is .rego: rename it to %s.rego", strings.TrimSuffix(base, extension)), true}, nil
	case !slices.Contains(documentNames, base) && slices.Contains(documentNames, strings.ToLower(base)):
		return stray{fmt.Sprintf("is not loaded, because the name of data is in lower case: rename it to %s", strings.ToLower(base)), true}, nil
	case likePolicy.MatchString(base) && extension != ".rego":
		original := likePolicy.FindStringSubmatch(base)[1]
		if _, err := fs.Stat(root, path.Join(path.Dir(name), original)); err == nil {
			return stray{}, nil
		}
		return stray{problem: "is not loaded, because the extension of policies is .rego: rename it, or remove it"}, nil
	case strings.EqualFold(extension, ".txtar") && !strings.HasSuffix(base, examplesSuffix) && hasPolicies(root, path.Dir(name)):
		return stray{problem: "is not run: the examples of rule.rego are in rule" + examplesSuffix}, nil
	}
	return stray{}, nil
}

func isFolderLink(root fs.FS, name string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return false
	}
	info, err := fs.Stat(root, name)
	return err == nil && info.IsDir()
}

// emptyFolder reports an empty folder beside policies. Git keeps none.
func emptyFolder(root fs.FS, name string) (stray, error) {
	entries, err := fs.ReadDir(root, name)
	if err != nil || len(entries) > 0 || !hasPolicies(root, path.Dir(name)) {
		return stray{}, err
	}
	return stray{problem: "is empty: if it is a submodule, check it out (git submodule update --init)"}, nil
}

// hasPolicies reports whether a folder itself has policies.
func hasPolicies(root fs.FS, dir string) bool {
	entries, _ := fs.ReadDir(root, dir)
	return slices.ContainsFunc(entries, func(d fs.DirEntry) bool { return path.Ext(d.Name()) == ".rego" })
}

package consumers

import (
	"path"
	"regexp"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
)

var (
	// bazelRule matches the beginning of a rule in a BUILD file.
	bazelRule = lazyregexp.New(`(?m)^(\w+)\(`)
	// bazelApplies matches the names of rules that substitute in manifests or apply them, and bazelChecks those that only test them.
	bazelApplies = lazyregexp.New(`^(?:k8s_|kubectl|kustomiz|gitops_|kube_|ytt|kapp|expand_template$|jsonnet_to)`)
	bazelChecks  = lazyregexp.New(`test|lint|validat|verif|check`)
	// bazelInputs matches an attribute with files, up to its end.
	bazelInputs = lazyregexp.New(`(?s)\b(?:template|templates|manifest|manifests|srcs|src|objects|object|resources|data|deps)\s*=\s*((?:glob\()?\[.*?\]|"[^"\n]*")`)
	bazelString = lazyregexp.New(`"([^"\n]+)"`)
)

// isBazel reports whether a file, by its name in lower case, has rules of Bazel.
func isBazel(base string) bool { return base == "build" || base == "build.bazel" }

// bazel adds the files of the rules that substitute in manifests or apply them.
func (x *Index) bazel(file string, data []byte) {
	text := withoutComments(data)
	for _, m := range bazelRule().FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		if !bazelApplies().MatchString(name) || bazelChecks().MatchString(name) {
			continue
		}
		line := 1 + strings.Count(text[:m[0]], "\n")
		x.add(at(file, line, "the rule "+name+" of Bazel"), x.bazelFiles(path.Dir(file), ruleAt(text[m[0]:])))
	}
}

// ruleAt returns the rule with which a text begins: formatted files end it in the first column.
func ruleAt(text string) string {
	if end := strings.Index(text, "\n)"); end >= 0 && strings.Count(text[:end], "(") > strings.Count(text[:end], ")") {
		return text[:end]
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// bazelFiles returns the files and patterns that the attributes of a rule name. A label can be that of a group of files.
func (x *Index) bazelFiles(dir, rule string) (found []string) {
	for _, m := range bazelInputs().FindAllStringSubmatch(rule, -1) {
		for _, s := range bazelString().FindAllStringSubmatch(m[1], -1) {
			folder, name, ok := bazelLabel(dir, s[1])
			if !ok {
				continue
			}
			found = append(found, path.Join(folder, name))
			found = append(found, x.bazelGroup(folder, name)...)
		}
	}
	return found
}

// bazelLabel returns the folder and the name of a label; ok is false for one of another repository.
func bazelLabel(dir, label string) (folder, name string, ok bool) {
	if strings.HasPrefix(label, "@") {
		return "", "", false
	}
	rest, isAbsolute := strings.CutPrefix(label, "//")
	if !isAbsolute {
		return dir, strings.TrimPrefix(label, ":"), true
	}
	folder, name, hasName := strings.Cut(rest, ":")
	if !hasName {
		name = path.Base(folder)
	}
	return path.Clean(folder), name, true
}

// bazelGroup returns the files of a filegroup.
func (x *Index) bazelGroup(folder, name string) (found []string) {
	group := regexp.MustCompile(`(?ms)^filegroup\((?:[^()]|\([^()]*\))*?\bname\s*=\s*"` + regexp.QuoteMeta(name) + `".*?^\)`)
	for _, base := range []string{"BUILD.bazel", "BUILD"} {
		file := path.Join(folder, base)
		if !x.from.Paths.HasFile(file) {
			continue
		}
		for _, m := range bazelInputs().FindAllStringSubmatch(group.FindString(withoutComments(x.from.Read(file))), -1) {
			for _, s := range bazelString().FindAllStringSubmatch(m[1], -1) {
				if dir, file, ok := bazelLabel(folder, s[1]); ok {
					found = append(found, path.Join(dir, file))
				}
			}
		}
	}
	return found
}

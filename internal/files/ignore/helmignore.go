package ignore

import (
	"fmt"
	"path"
	"strings"
)

// helmRule is one line of a .helmignore file. The syntax only looks like git's: see helm's pkg/ignore.
type helmRule struct {
	glob            string
	negate, dirOnly bool
	nameOnly        bool
}

// parseHelmignore reads the rules of a chart. Helm adds a rule for hidden files among the templates. Helm does not load a
// chart with an invalid rule: then the error describes it, and only Helm's own rule is returned.
func parseHelmignore(data []byte) ([]helmRule, error) {
	own := helmRule{glob: "templates/.?*"}
	var rules []helmRule
	for i, line := range lines(data) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.Contains(line, "**") {
			return []helmRule{own}, fmt.Errorf("line %d: Helm does not support ** here, and will not load the chart", i+1)
		}
		if _, err := path.Match(line, "abc"); err != nil {
			return []helmRule{own}, fmt.Errorf("line %d: not a valid glob, Helm will not load the chart", i+1)
		}
		rules = append(rules, parseHelmRule(line))
	}
	return append(rules, own), nil
}

func parseHelmRule(line string) (r helmRule) {
	line, r.negate = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	r.nameOnly = !strings.Contains(line, "/")
	r.glob = strings.TrimPrefix(line, "/")
	return r
}

// helmIgnores behaves like Helm 3: the first matching rule excludes the path, and a negated rule excludes everything that
// it does not match.
func helmIgnores(rules []helmRule, p string, isDir bool) bool {
	for _, r := range rules {
		applies := (isDir || !r.dirOnly) && r.match(p)
		if applies != r.negate {
			return true
		}
	}
	return false
}

func (r helmRule) match(p string) bool {
	if r.nameOnly {
		p = path.Base(p)
	}
	matched, err := path.Match(r.glob, p)
	return matched && err == nil
}

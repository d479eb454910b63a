package consumers

import (
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/commands"
)

// change is what a command does to what it reads.
type change struct {
	files   []string
	inPlace bool
	// harmless is set if it sets nothing but images, versions, and the like, or adds, removes, or rewrites entries of the resources or
	// components of a kustomization: what a fix adds or removes in the same file is not concerned.
	harmless bool
}

// changers are the programs that change what they read from files or their input. Reading alone counts for nothing.
var changers = map[string]func(*commands.Command) change{
	"sed": sed, "gsed": sed, "perl": perl, "ruby": perl,
	"yq": yq, "gojq": jq, "jq": jq,
	"awk": awk, "gawk": awk, "mawk": awk,
	"python": interpreted, "python3": interpreted, "node": interpreted, "gomplate": templated, "jinja2": interpreted, "j2": interpreted, "m4": interpreted,
	"kubectl": localChange, "oc": localChange, "tr": readsInput, "ytt": readsInput, "kbld": readsInput, "kpt": readsInput,
}

var (
	// onlyImages matches an expression of sed that sets an image or a version, and nothing else of an object.
	onlyImages = lazyregexp.New(`^s(.)[\s^\\s*.()-]*(?:image|images|newTag|newName|tag|digest|version|appVersion|replicas)\b["']?\s*:`)
	// imageReference matches an expression that replaces a reference to an image.
	imageReference = lazyregexp.New(`^s(.)[^\s"'{}]*[a-z0-9-]+\.[a-z]{2,}/[\w./-]+[:@]`)
	// imagePath matches an expression of yq about such a field, about comments, or about entries of a list of resources or components.
	imagePath = lazyregexp.New(`(?i)(?:image|newTag|newName|\btag\b|digest|version|replicas|labels|annotations|\.\.\. comments|\.resources\b|\.components\b)`)
	otherPath = lazyregexp.New(`(?i)(?:serviceaccount|subjects|roleRef|\bmetadata\.name|nameprefix|namesuffix|namespace|patches|\.(?:resources|components)\s*=\s*[^(\s]|\bdel\()`)
	// prepended matches an assignment that keeps the entries of such a list.
	prepended = lazyregexp.New(`\.(resources|components)\s*=\s*\[[^\]]*\]\s*\+\s*\(?\s*\.(?:resources|components)\b`)
	// appended matches an expression of sed that adds lines with labels or annotations, and otherPath what these lines may not have.
	appended = lazyregexp.New(`^/(?:[^/]*(?:labels|annotations):?\$?/\s*[ai]\b|[^/]*/\s*[ai]\b.*(?:labels|annotations)\s*:)`)
	// deletedEntry matches the removal of an entry of such a list.
	deletedEntry = lazyregexp.New(`\bdel\(\s*\.(?:resources|components)\[\]`)
)

// sed returns the files of a command of sed, unless all its expressions set images or versions.
func sed(c *commands.Command) change {
	inPlace := slices.ContainsFunc(c.Args, func(a string) bool {
		return strings.HasPrefix(a, "--in-place") || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(strings.SplitN(a, ".", 2)[0], "i")
	})
	expressions := append(c.Flag("e", "expression"), c.Flag("f", "file")...)
	words := slices.DeleteFunc(c.Positionals("-e", "-f", "--expression", "--file", "-l"), func(w string) bool { return w == "" })
	if len(expressions) == 0 && len(words) > 0 {
		expressions, words = words[:1], words[1:]
	}
	if !slices.ContainsFunc(expressions, func(e string) bool { return !setsVersion(e) }) && len(expressions) > 0 {
		return change{harmless: true}
	}
	return change{files: words, inPlace: inPlace}
}

// setsVersion reports whether an expression of sed sets nothing but images, versions, labels, or annotations. Of several commands in one
// expression, only the first is known.
func setsVersion(expression string) bool {
	if strings.ContainsAny(expression, ";\n") {
		return false
	}
	return onlyImages().MatchString(expression) || imageReference().MatchString(expression) ||
		appended().MatchString(expression) && !otherPath().MatchString(expression)
}

func perl(c *commands.Command) change {
	inPlace := slices.ContainsFunc(c.Args, func(a string) bool {
		return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(strings.SplitN(a, ".", 2)[0], "i")
	})
	var rest []string
	for i, a := range c.Args {
		if i > 0 && strings.HasPrefix(c.Args[i-1], "-") && strings.HasSuffix(c.Args[i-1], "e") || strings.HasPrefix(a, "-") {
			continue
		}
		rest = append(rest, a)
	}
	return change{files: rest, inPlace: inPlace}
}

// yqVerbs are the sub-commands of yq. Those of version 3 come before the file, and the path after it.
var yqVerbs = map[string]bool{
	"e": false, "eval": false, "ea": false, "eval-all": false, "w": true, "write": true, "d": true, "delete": true, "m": true, "merge": true, "p": true, "prefix": true,
}

func yq(c *commands.Command) change {
	inPlace := slices.ContainsFunc(c.Args, func(a string) bool {
		return a == "--inplace" || a == "--in-place" || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, "i")
	})
	words := c.Positionals("-o", "-p", "-I", "--indent", "--arg", "--output-format", "--input-format", "--from-file", "--expression", "-s", "--style")
	isOld := false
	if len(words) > 0 {
		if old, is := yqVerbs[words[0]]; is {
			isOld, words = old, words[1:]
		}
	}
	expressions := c.Flag("", "expression")
	if !isOld && len(expressions)+len(c.Flag("", "from-file")) == 0 && len(words) > 0 {
		expressions, words = words[:1], words[1:]
	}
	if isOld && len(words) > 1 {
		expressions, words = words[1:], words[:1]
	}
	text := strings.Join(expressions, " ")
	if setsImages(text) && !otherPath().MatchString(deletedEntry().ReplaceAllString(prepended().ReplaceAllString(text, ".$1"), "")) {
		return change{harmless: true}
	}
	return change{files: words, inPlace: inPlace}
}

// assigned matches an assignment of yq, and not a comparison.
var assigned = lazyregexp.New(`(?:^|[^=!<>])=(?:[^=]|$)`)

// setsImages reports whether an expression of yq has images, versions, and the like in each of its parts that assigns something.
func setsImages(expression string) bool {
	depth, start, parts := 0, 0, []string{}
	for i, c := range []byte(expression) {
		switch {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == '|' && depth == 0 && !strings.HasPrefix(expression[i:], "|="):
			parts, start = append(parts, expression[start:i]), i+1
		}
	}
	parts = append(parts, expression[start:])
	return imagePath().MatchString(expression) && !slices.ContainsFunc(parts, func(part string) bool {
		return assigned().MatchString(part) && !imagePath().MatchString(part)
	})
}

func jq(c *commands.Command) change {
	words := c.Positionals("-f", "--from-file", "--arg", "--argjson")
	return change{files: words[min(1, len(words)):]}
}

func awk(c *commands.Command) change {
	words := c.Positionals("-v", "-F", "-f", "-i")
	return change{files: words[min(1, len(words)):], inPlace: slices.Contains(c.Flag("i", ""), "inplace")}
}

// interpreted returns the files that a command gives to a program, which is its first argument.
func interpreted(c *commands.Command) change {
	words := c.Positionals("-m")
	return change{files: words[min(1, len(words)):]}
}

func templated(c *commands.Command) change {
	return change{files: c.Flag("f", "file")}
}

// changerOf returns what a command changes: as one of the changers, or as a script that reads the output of another command.
func changerOf(c *commands.Command) (func(*commands.Command) change, bool) {
	if read, is := changers[c.Name]; is {
		return read, true
	}
	isScript := slices.ContainsFunc([]string{".sh", ".bash", ".py", ".rb", ".pl"}, func(end string) bool { return strings.HasSuffix(c.Name, end) })
	return readsInput, isScript && len(c.Before()) > 0
}

func readsInput(*commands.Command) change { return change{} }

// localChange returns the files that kubectl changes without a cluster.
func localChange(c *commands.Command) change {
	if !c.Has("--local", "--local=true") {
		return change{harmless: true}
	}
	return change{files: c.Flag("f", "filename")}
}

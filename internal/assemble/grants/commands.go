package grants

import (
	"bytes"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/commands"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// bindingCommand matches a line with a command that binds a role, in a shell or as a list of strings.
var bindingCommand = lazyregexp.New(`\badd-(?:cluster-)?role-to-(?:user|group)\b|\bcreate["',\s]+(?:cluster)?rolebindings?\b|\bset["',\s]+subject\b`)

// ofCommands returns the bindings of the commands of a text. A command that the text hides, as in the strings of a program or in a
// manifest, is read from its line.
func ofCommands(file string, data []byte, isFolder func(string) bool) []Grant {
	if !bindingCommand().Match(data) && !bytes.Contains(data, []byte("role")) {
		return nil
	}
	var found []Grant
	read := map[int]bool{}
	for _, c := range commands.Read(file, data, isFolder) {
		if !binds(c.Args) {
			continue
		}
		read[c.Line] = true
		for _, subject := range subjectsOf(c.Args) {
			found = append(found, Grant{objects.Position{File: file, Line: c.Line, Column: 1}, subject})
		}
	}
	lines := bytes.Split(data, []byte("\n"))
	for i := 0; i < len(lines); i++ {
		first := i
		if !bindingCommand().Match(lines[i]) || isComment(lines[i]) || !bindingCommand().Match(question().ReplaceAll(lines[i], nil)) {
			continue
		}
		line := string(lines[i])
		for ; strings.HasSuffix(strings.TrimRight(string(lines[i]), " \r"), `\`) && i+1 < len(lines); i++ {
			line = strings.TrimRight(line, " \\\r") + " " + string(lines[i+1])
		}
		if read[first+1] {
			continue
		}
		for _, subject := range subjectsOf(words(line)) {
			found = append(found, Grant{objects.Position{File: file, Line: first + 1, Column: 1}, subject})
		}
	}
	return found
}

// isComment reports whether a line is a comment of a script or program.
func isComment(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.HasPrefix(line, []byte("#")) || bytes.HasPrefix(line, []byte("//"))
}

// words splits a line into words, without the quotes, commas, and brackets of a list of strings.
func words(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\"'`,[]()", r) })
}

// binds reports whether arguments are those of a command that binds a role.
func binds(arguments []string) bool {
	c := commands.Command{Args: arguments}
	if c.Has("can-i") {
		return false
	}
	words := c.Positionals("-n", "--namespace", "--context", "--kubeconfig", "--as", "--cluster", "-s", "--server", "--token", "--user")
	return bindingCommand().MatchString(strings.Join(arguments, " ")) || bindingCommand().MatchString(strings.Join(words, " "))
}

// question matches what a command asks about, such as whether someone may create a binding.
var question = lazyregexp.New(`\bauth\s+can-i\s+\S+\s+\S+`)

// subjectsOf returns the subjects to which a command binds a role.
func subjectsOf(arguments []string) []rbac.Subject {
	var found []rbac.Subject
	add := func(kind, namespace, name string) {
		found = append(found, rbac.Subject{Kind: kind, Namespace: filledIn(namespace), Name: filledIn(name)})
	}
	c := commands.Command{Args: arguments}
	namespace := ""
	if given := c.Flag("n", "namespace"); len(given) > 0 {
		namespace = given[0]
	}
	for _, value := range slices.Concat(c.Flag("z", ""), c.Flag("", "serviceaccount")) {
		for name := range strings.SplitSeq(value, ",") {
			if before, after, ok := strings.Cut(name, ":"); ok {
				add(rbac.KindServiceAccount, before, after)
			} else {
				add(rbac.KindServiceAccount, namespace, name)
			}
		}
	}
	for _, argument := range arguments {
		_, value, _ := strings.Cut(argument, "=")
		for name := range strings.SplitSeq(argument+","+value, ",") {
			switch account, isUser := strings.CutPrefix(name, "system:serviceaccount:"); {
			case isUser:
				before, after, _ := strings.Cut(account, ":")
				add(rbac.KindServiceAccount, before, after)
			case strings.HasPrefix(name, "system:serviceaccounts"):
				add("Group", "", name)
			case strings.HasPrefix(name, commands.Unknown) && len(found) == 0 && slices.ContainsFunc(arguments, isToUser):
				add(rbac.KindServiceAccount, "", name)
			}
		}
	}
	return found
}

func isToUser(argument string) bool { return strings.HasSuffix(argument, "-role-to-user") }

// bareVariable matches a variable of a shell without braces.
var bareVariable = lazyregexp.New(`\$([A-Za-z_0-9@*]+)`)

// filledIn returns a name with its unknown parts as placeholders.
func filledIn(name string) string {
	return bareVariable().ReplaceAllString(strings.ReplaceAll(name, commands.Unknown, Unknown), "$${$1}")
}

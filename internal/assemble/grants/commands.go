package grants

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/commands"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// bindingCommand matches a line with a command that binds a role, in a shell or as a list of strings. The commands for security context constraints bind
// the role system:openshift:scc:NAME (openshift/oc, pkg/cli/admin/policy, AddSCCToUser).
var bindingCommand = lazyregexp.New(`\badd-(?:(?:cluster-)?role|scc)-to-(?:user|group)\b|\bcreate["',\s]+(?:cluster)?rolebindings?\b|\bset["',\s]+subject\b`)

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
		for _, subject := range subjectsOf(c) {
			read[c.Line] = true
			found = append(found, grantOf(c, subject, objects.Position{File: file, Line: c.Line, Column: 1}))
		}
	}
	lines := bytes.Split(data, []byte("\n"))
	for i := 0; i < len(lines); i++ {
		if !bindingCommand().Match(lines[i]) {
			continue
		}
		line, last := joined(lines, i, path.Ext(file))
		if !read[i+1] {
			found = append(found, ofWords(words(line), objects.Position{File: file, Line: i + 1, Column: 1})...)
		}
		i = last
	}
	return found
}

// grantOf returns the binding of a subject that a command makes.
func grantOf(c *commands.Command, subject rbac.Subject, at objects.Position) Grant {
	return Grant{Position: at, Subject: subject, Namespace: namespaceOf(c), OfConstraints: isOfConstraints(c.Args)}
}

// joined returns a line of a script without comments, joined with those that continue it, and the last of them.
func joined(lines [][]byte, first int, extension string) (line string, last int) {
	continues := `\`
	switch extension {
	case ".ps1":
		continues = "`"
	case ".bat", ".cmd":
		continues = "^"
	}
	line, last = strings.TrimRight(string(lines[first]), "\r"), first
	for last+1 < len(lines) {
		trimmed := strings.TrimRight(line, " ")
		isArray := strings.Contains(trimmed, "=(") && !strings.Contains(trimmed, ")")
		if !isArray && !strings.HasSuffix(trimmed, continues) {
			break
		}
		last++
		line = strings.TrimSuffix(trimmed, continues) + " " + strings.TrimRight(string(lines[last]), "\r")
	}
	return withoutComment(line), last
}

// withoutComment returns a line of a script or program without its comment.
func withoutComment(line string) string {
	if isComment([]byte(line)) {
		return ""
	}
	for at, found := range comment().FindAllStringIndex(line, -1) {
		before := line[:found[0]]
		if at < maxComments && strings.Count(before, `"`)%2 == 0 && strings.Count(before, "'")%2 == 0 {
			return before
		}
	}
	return line
}

// maxComments is how many places of a line are tried as the beginning of its comment.
const maxComments = 10

var comment = lazyregexp.New(`\s(?:#|//)\s`)

// ofWords returns the bindings of the words of a command; none if they only ask.
func ofWords(words []string, at objects.Position) []Grant {
	text := strings.Join(words, " ")
	if !bindingCommand().MatchString(question().ReplaceAllString(text, "")) {
		return nil
	}
	var found []Grant
	c := &commands.Command{Args: words}
	for _, subject := range subjectsOf(c) {
		found = append(found, grantOf(c, subject, at))
	}
	return found
}

// namespaceOf returns the namespace of the binding that a command makes; "" if it holds in all, or if that is unknown.
func namespaceOf(c *commands.Command) string {
	if !localCommand().MatchString(strings.Join(c.Args, " ")) {
		return ""
	}
	given := c.Flag("n", "namespace")
	if len(given) != 1 {
		return ""
	}
	return filledIn(given[0])
}

// localCommand matches a command whose binding holds in one namespace.
var localCommand = lazyregexp.New(`\badd-role-to-(?:user|group)\b|(?:^|\s)rolebindings?\b`)

// isComment reports whether a line is a comment of a script or program.
func isComment(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.HasPrefix(line, []byte("#")) || bytes.HasPrefix(line, []byte("//"))
}

// words splits a line into words, without the quotes, commas, and brackets of a list of strings.
func words(line string) []string {
	line = expression().ReplaceAllStringFunc(line, func(e string) string { return strings.ReplaceAll(e, " ", "") })
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\"'`,[]()", r) })
}

// expression matches what a program fills in, as Ansible does.
var expression = lazyregexp.New(`\{\{[^{}]*\}\}`)

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
func subjectsOf(c *commands.Command) []rbac.Subject {
	var found []rbac.Subject
	add := func(kind, namespace, name string) {
		found = append(found, rbac.Subject{Kind: kind, Namespace: filledIn(namespace), Name: filledIn(name)})
	}
	namespace := ""
	if given := c.Flag("n", "namespace"); len(given) == 1 {
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
	for _, argument := range c.Args {
		_, value, _ := strings.Cut(argument, "=")
		for name := range strings.SplitSeq(argument+","+value, ",") {
			switch account, isUser := strings.CutPrefix(name, "system:serviceaccount:"); {
			case isUser:
				before, after, _ := strings.Cut(account, ":")
				add(rbac.KindServiceAccount, before, after)
			case strings.HasPrefix(name, "system:serviceaccounts"):
				add(rbac.KindGroup, "", name)
			case strings.HasPrefix(name, commands.Unknown) && len(found) == 0 && slices.ContainsFunc(c.Args, isToUser):
				add(rbac.KindServiceAccount, "", name)
			}
		}
	}
	for _, named := range []struct{ kind, flag, command string }{{rbac.KindUser, "user", "-to-user"}, {rbac.KindGroup, "group", "-to-group"}} {
		for _, name := range slices.Concat(c.Flag("", named.flag), afterRole(c, named.command)) {
			for name := range strings.SplitSeq(name, ",") {
				if !strings.HasPrefix(name, "system:serviceaccount") {
					add(named.kind, "", name)
				}
			}
		}
	}
	return found
}

// afterRole returns the subjects that oc adm policy add-role-to-user and the like have behind the role.
func afterRole(c *commands.Command, command string) []string {
	at := slices.IndexFunc(c.Args, func(a string) bool { return strings.HasSuffix(a, command) })
	if at < 0 {
		return nil
	}
	rest := c.From(at+1).Positionals("-n", "--namespace", "-z", "--serviceaccount", "--rolebinding-name", "--role-namespace", "--context", "--kubeconfig")
	return rest[min(1, len(rest)):]
}

func isOfConstraints(arguments []string) bool {
	return slices.ContainsFunc(arguments, func(a string) bool { return strings.HasPrefix(a, "add-scc-to-") })
}

func isToUser(argument string) bool { return strings.HasSuffix(argument, "-to-user") }

// bareVariable matches a variable of a shell without braces.
var bareVariable = lazyregexp.New(`\$([A-Za-z_0-9@*]+)`)

// filledIn returns a name with its unknown parts as placeholders.
func filledIn(name string) string {
	return bareVariable().ReplaceAllString(strings.ReplaceAll(name, commands.Unknown, Unknown), "$${$1}")
}

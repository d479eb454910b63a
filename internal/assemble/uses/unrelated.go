package uses

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// unrelatedFields are the ends of the names of fields, in lower case, that hold something other than accounts, with everything in them: labels,
// images, namespaces, hosts, and addresses.
var unrelatedFields = []string{
	"labels", "selector", "matchexpressions", "namespace", "namespaces", "image", "images", "hostname", "host", "hosts", "dnsnames", "url",
	"volumemounts", "mountpath", "hostpath", "subpath",
}

// namesOfOthers are the ends of the names of fields, in lower case, that hold the names of other things.
var namesOfOthers = []string{
	"packagename", "secretname", "configmapname", "claimname", "storageclassname", "priorityclassname", "ingressclassname", "rolename",
	"clusterrolename", "portname", "containername", "volumename", "catalogname", "chart", "targetport",
}

// namedLists are the lists of things that have names, such as the containers of a pod.
var namedLists = []string{
	"containers", "initcontainers", "ephemeralcontainers", "ports", "volumes", "volumemounts", "env", "imagepullsecrets", "dependson", "volumeclaimtemplates",
}

// isUnrelated reports whether a field of an object, or of a document that is none, is known to hold something other than an account. Root is
// the node to which the path belongs.
func isUnrelated(root *manifest.Node, field manifest.Path) bool {
	if len(field) == 0 || isAccountField(field) {
		return false
	}
	for _, step := range field {
		plain := separators.Replace(strings.ToLower(step))
		if endsWith(plain, unrelatedFields) && !strings.Contains(plain, "serviceaccount") {
			return true
		}
	}
	if len(field) > 1 && field[len(field)-2] == "resourceNames" {
		return !isUserInRule(root, field)
	}
	last := separators.Replace(strings.ToLower(field[len(field)-1]))
	return endsWith(last, namesOfOthers) || last == "name" && isNameOfOther(root, field)
}

// isUserInRule reports whether a resourceName of a rule of a role can be an account, a user, or a group.
func isUserInRule(root *manifest.Node, field manifest.Path) bool {
	return slices.ContainsFunc(root.Lookup(field[:len(field)-2].Join("resources")).Items(), func(n *manifest.Node) bool {
		resource, _, _ := strings.Cut(n.String(), "/")
		return slices.Contains([]string{"*", "serviceaccounts", "users", "groups", "userextras"}, resource)
	})
}

// isNameOfOther reports whether a field `name` is the name of an object of another kind, or of an item of a list of other things.
func isNameOfOther(root *manifest.Node, field manifest.Path) bool {
	named := root.Lookup(field[:len(field)-1])
	steps := fieldsOf(field[:len(field)-1])
	around := ""
	if len(steps) > 0 {
		around = steps[len(steps)-1]
	}
	kind := named.Get("kind").String()
	switch {
	case around == "metadata":
		kind = root.Lookup(field[:len(field)-2]).Get("kind").String()
		return kind != "" && kind != rbac.KindServiceAccount && len(field) > 2
	case kind != "":
		return kind != rbac.KindServiceAccount && !rbac.Templated(kind)
	}
	return endsWith(around, namedLists) || strings.HasSuffix(around, "ref")
}

// fieldsOf returns the steps of a path that are fields, in lower case.
func fieldsOf(steps manifest.Path) []string {
	var fields []string
	for _, step := range steps {
		if _, err := strconv.Atoi(step); err != nil {
			fields = append(fields, separators.Replace(strings.ToLower(step)))
		}
	}
	return fields
}

func endsWith(text string, ends []string) bool {
	for _, end := range ends {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// aboutAccount matches a line of prose, or a comment, that is about a service account.
var aboutAccount = lazyregexp.New(`(?i)service[-_]?account|\b(?:accounts?|tokens?|sa|impersonat\w+)\b|(?:^|\s)-z\b|--as\b`)

// inComment matches the beginning of a line that is a comment, or ends with one.
var inComment = lazyregexp.New(`^\s*(?:#|//|/?\*|;|--\s|<!--|\{\{-?\s*/\*)|\s(?:#|//)\s`)

// maxLine limits what is read of a line before and after a name.
const maxLine = 1000

// lineAt returns the line of an offset, up to the offset and as a whole.
func lineAt(data []byte, offset int) (before, line []byte) {
	start := max(0, offset-maxLine)
	start += bytes.LastIndexByte(data[start:offset], '\n') + 1
	line = data[start:min(len(data), offset+maxLine)]
	if end := bytes.IndexByte(line[offset-start:], '\n'); end >= 0 {
		line = line[:offset-start+end]
	}
	return data[start:offset], line
}

// isUnrelatedText reports whether a name at an offset of a text means no account: it is in prose that is about something else, or on a
// line that a diff removes.
func isUnrelatedText(file string, data []byte, offset int) bool {
	before, line := lineAt(data, offset)
	if bytes.HasPrefix(line, []byte("-")) && beginsDiff().Match(data[:min(len(data), maxLine)]) {
		return true
	}
	isProse := textpaths.IsDocument(path.Base(file)) || inComment().Match(before)
	return isProse && !aboutAccount().Match(line) && useInText(data[max(0, offset-10*maxLine):offset]) != Refers
}

// beginsDiff matches the beginning of a unified diff, as git and diff -u write it.
var beginsDiff = lazyregexp.New(`^(?:diff --git |Index: |From [0-9a-f]{40} |--- [^\n]*\n\+\+\+ )`)

// fieldOnLine matches a line of a template up to the value of a field.
var fieldOnLine = lazyregexp.New(`^\s*(?:-\s+)?["']?([\w./-]+)["']?:\s`)

// isUnrelatedLine reports whether the field on the line of a template is known to hold something other than an account.
func isUnrelatedLine(data []byte, offset int) bool {
	before, _ := lineAt(data, offset)
	match := fieldOnLine().FindSubmatch(before)
	return match != nil && isUnrelated(nil, manifest.Path{string(match[1])})
}

// unreferenced are the kinds whose comments are about their own account: the kinds that go with it, and those that list it.
var unreferenced = []string{
	"ServiceAccount", "ClusterExtension", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "Kustomization", "Component",
}

// accountUserAt matches a user name up to the name of its account.
var accountUserAt = lazyregexp.New(`system:serviceaccount:([a-z0-9-]+):$|--serviceaccount[= ]["']?([a-z0-9-]+):$`)

// accountsBefore returns the account that a name at the end of a text means if the namespace is written before it; nil otherwise.
func accountsBefore(text []byte) []objects.Account {
	match := accountUserAt().FindSubmatch(text[max(0, len(text)-maxPlaceholder):])
	if match == nil {
		return nil
	}
	return []objects.Account{{Namespace: string(match[1]) + string(match[2])}}
}

package settings

import (
	"fmt"
	"slices"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/manifest"
)

// Creator is a kind for whose objects an operator creates accounts and roles, so that the repository does not contain these. The names are
// patterns: {name} and {namespace} are those of the object, and an asterisk at the end is any rest.
type Creator struct {
	Group        string   `json:"group"`
	Kind         string   `json:"kind"`
	Accounts     []string `json:"accounts"`
	Roles        []string `json:"roles"`
	ClusterRoles []string `json:"clusterRoles"`
	// Namespace is that of the accounts and Roles; "" is the namespace of the object.
	Namespace string `json:"namespace"`
}

func (d *decoder) creator(into *[]Creator) reader {
	return func(n *manifest.Node) {
		var c Creator
		before := len(d.errors)
		d.fields("a creator", map[string]reader{
			"group":        scalar(d, &c.Group, parseGroup),
			"kind":         scalar(d, &c.Kind, parseKind),
			"accounts":     d.list("accounts", appended(d, &c.Accounts, parseCreatedName)),
			"roles":        d.list("roles", appended(d, &c.Roles, parseCreatedName)),
			"clusterRoles": d.list("clusterRoles", appended(d, &c.ClusterRoles, parseCreatedName)),
			"namespace":    scalar(d, &c.Namespace, parseNamespace),
		})(n)
		if len(d.errors) > before {
			return
		}
		if c.Group == "" || c.Kind == "" || len(c.Accounts)+len(c.Roles)+len(c.ClusterRoles) == 0 {
			d.fail(n, "a creator needs group, kind, and names, as in {group: example.com, kind: Runner, accounts: [\"{name}-runner\"]}")
			return
		}
		*into = append(*into, c)
	}
}

// parseGroup reads the group of a custom resource. Those of Kubernetes itself have no operator that creates accounts, and an entry for
// bindings would vouch for whatever they name.
func parseGroup(s string) (string, error) {
	if !groupName().MatchString(s) || s == "rbac.authorization.k8s.io" {
		return "", fmt.Errorf("%q is not a group of custom resources, such as example.com", s)
	}
	return s, nil
}

func parseKind(s string) (string, error) {
	if !kindName().MatchString(s) {
		return "", fmt.Errorf("%q is not a kind, such as Runner", s)
	}
	return s, nil
}

func parseNamespace(s string) (string, error) {
	if !namespaceName().MatchString(s) {
		return "", fmt.Errorf("%q is not a namespace", s)
	}
	return s, nil
}

// parseCreatedName reads a pattern of names. One without a beginning would vouch for every name.
func parseCreatedName(s string) (string, error) {
	if !createdName().MatchString(s) {
		return "", fmt.Errorf("%q is not a name of accounts or roles: write a name with {name} and {namespace} of the object, and * only after a beginning", s)
	}
	return s, nil
}

var (
	groupName     = lazyregexp.New(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$`)
	kindName      = lazyregexp.New(`^[A-Z][A-Za-z0-9]*$`)
	namespaceName = lazyregexp.New(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	createdName   = lazyregexp.New(`^([-.:A-Za-z0-9]|\{name\}|\{namespace\})+\*?$`)
)

// creatorsUnder returns the creators that count where a configuration narrows this one: those of the narrowing ones only, because an entry
// silences what a platform may require. A file that the command line names does not take them from one of the repository either.
func (c *Config) creatorsUnder(by *Config) []Creator {
	switch {
	case len(c.narrowedBy) == 0:
		return by.Creators
	case by.ofCommand || !slices.ContainsFunc(c.narrowedBy, (*Config).OfCommand):
		return slices.Concat(c.Creators, by.Creators)
	default:
		return c.Creators
	}
}

// CreatorsWithoutEffect returns the files with creators that do not count, because other settings narrow theirs, with their lines.
func (c *Config) CreatorsWithoutEffect() []string {
	var remarks []string
	add := func(file string, line int) {
		remarks = append(remarks, fmt.Sprintf("%s:%d: creators has no effect: those of the settings that narrow this file count", file, line))
	}
	if at, set := c.keysAt["creators"]; set && len(c.narrowedBy) > 0 {
		add(FileName, at.line)
	}
	commanded := slices.ContainsFunc(c.narrowedBy, (*Config).OfCommand)
	for _, by := range c.narrowedBy {
		if at, set := by.keysAt["creators"]; set && commanded && !by.ofCommand {
			add(by.Path, at.line)
		}
	}
	return remarks
}

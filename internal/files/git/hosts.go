package git

import (
	"net/url"
	"slices"
	"strings"
)

// azureHost is the host of Azure DevOps. Organizations also have the older hosts ORGANIZATION.visualstudio.com.
const (
	azureHost    = "dev.azure.com"
	azureSSH     = "ssh.dev.azure.com"
	azureOldHost = ".visualstudio.com"
)

// azureName returns the name of a repository of Azure DevOps, dev.azure.com/ORGANIZATION/PROJECT/_git/REPOSITORY, for all of its addresses.
// Spaces are written as %20. ok is false for other hosts and other paths. The forms of addresses are those that Azure DevOps shows:
// https://learn.microsoft.com/azure/devops/repos/git/clone and its page on SSH.
func azureName(host, file string) (name string, ok bool) {
	host = strings.ToLower(host)
	parts := strings.Split(strings.Trim(file, "/"), "/")
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil {
			parts[i] = plain
		}
	}
	switch organization, isOld := strings.CutSuffix(host, azureOldHost); {
	case host == azureSSH && len(parts) == 4 && parts[0] == "v3": // git@ssh.dev.azure.com:v3/ORGANIZATION/PROJECT/REPOSITORY
		parts = []string{parts[1], parts[2], parts[3]}
	case host == azureHost && len(parts) == 4 && parts[2] == "_git":
		parts = []string{parts[0], parts[1], parts[3]}
	case host == azureHost && len(parts) == 3 && parts[1] == "_git": // the repository that has the name of its project
		parts = []string{parts[0], parts[2], parts[2]}
	case isOld:
		if len(parts) > 0 && strings.EqualFold(parts[0], "DefaultCollection") {
			parts = parts[1:]
		}
		switch {
		case len(parts) == 3 && parts[1] == "_git":
			parts = []string{organization, parts[0], parts[2]}
		case len(parts) == 2 && parts[0] == "_git":
			parts = []string{organization, parts[1], parts[1]}
		default:
			return "", false
		}
	default:
		return "", false
	}
	if slices.ContainsFunc(parts, func(part string) bool {
		return part == "" || strings.ContainsFunc(part, func(r rune) bool { return r < ' ' || r == 0x7f || r == '/' || r == '@' })
	}) {
		return "", false
	}
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(part, " ", "%20")
	}
	return azureHost + "/" + parts[0] + "/" + parts[1] + "/_git/" + parts[2], true
}

// ignoringCase are hosts that find a repository under its name in any case.
var ignoringCase = []string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", azureHost}

// Key returns the same for all names by which a host finds one repository: GitHub and others ignore case.
func Key(name string) string {
	host, _, _ := strings.Cut(name, "/")
	if slices.Contains(ignoringCase, host) {
		return strings.ToLower(name)
	}
	return name
}

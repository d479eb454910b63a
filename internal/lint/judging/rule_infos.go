package judging

import (
	"strings"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/rules"
	"github.com/salint/salint/rules/metadata"
)

// RuleInfos returns what reports print about rules.
func RuleInfos(registry *rules.Registry) []finding.RuleInfo {
	var infos []finding.RuleInfo
	for _, rule := range registry.Rules() {
		infos = append(infos, finding.RuleInfo{
			Name: rule.Name, Title: rule.Title, Description: rule.Description, Severity: rule.Severity,
			HelpURI: HelpURI(rule), Tags: []string{rule.Family}, SecuritySeverity: securitySeverities[rule.Name],
		})
	}
	return infos
}

// HelpURI returns the address of the documentation of a rule: for a rule of a user, the first of its links, or "".
func HelpURI(rule metadata.Rule) string {
	if rule.User {
		for _, link := range rule.Links {
			if strings.HasPrefix(link.URL, "https://") || strings.HasPrefix(link.URL, "http://") {
				return link.URL
			}
		}
		return ""
	}
	return "https://github.com/salint/salint/blob/main/docs/rules.md#" + strings.ReplaceAll(rule.Name, "/", "")
}

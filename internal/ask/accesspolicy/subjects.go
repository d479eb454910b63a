package accesspolicy

import (
	"fmt"
	"strings"

	"github.com/salint/salint/internal/kube/rbac"
)

// ParseSubjects parses KIND:NAME, with the kinds of RBAC.
func ParseSubjects(given []string) ([]rbac.Subject, error) {
	var subjects []rbac.Subject
	for _, text := range given {
		kind, name, _ := strings.Cut(text, ":")
		s := rbac.Subject{Kind: kind, Name: name}
		if kind == rbac.KindServiceAccount {
			s.Namespace, s.Name, _ = strings.Cut(name, "/")
		}
		known := kind == rbac.KindServiceAccount && s.Namespace != "" || kind == rbac.KindUser || kind == rbac.KindGroup
		if !known || s.Name == "" {
			return nil, fmt.Errorf("%s: use User:NAME, Group:NAME or ServiceAccount:NAMESPACE/NAME", text)
		}
		subjects = append(subjects, s)
	}
	return subjects, nil
}

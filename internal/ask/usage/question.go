package usage

import (
	"errors"
	"fmt"
	"strings"

	"github.com/salint/salint/internal/base/nearest"
	"github.com/salint/salint/internal/kube/rbac"
)

// The kinds of things about which can be asked. An audience is no object.
const (
	account     = rbac.KindServiceAccount
	secret      = "Secret"
	role        = "Role"
	clusterRole = "ClusterRole"
	audience    = "audience"
)

// names are the kinds by the words for them, as kubectl knows them.
var names = map[string]string{
	"serviceaccount": account, "serviceaccounts": account, "sa": account, "secret": secret, "secrets": secret,
	"role": role, "roles": role, "clusterrole": clusterRole, "clusterroles": clusterRole, "audience": audience, "audiences": audience,
}

// kinds are the words that errors and completions list.
var kinds = []string{"serviceaccount", "secret", "role", "clusterrole", "audience"}

// Kinds returns the words for the kinds about which can be asked.
func Kinds() []string { return append([]string(nil), kinds...) }

// Question is what is asked about. The namespace is "" for any.
type Question struct{ Kind, Namespace, Name string }

// Parse reads KIND/NAME. The error lists the kinds.
func Parse(argument, namespace string) (Question, error) {
	word, name, found := strings.Cut(argument, "/")
	if !found || name == "" {
		return Question{}, errors.New("KIND/NAME is required, for example serviceaccount/deployer, secret/db-password, clusterrole/reader, or audience/vault")
	}
	word, _, _ = strings.Cut(strings.ToLower(word), ".") // roles.rbac.authorization.k8s.io
	kind, known := names[word]
	if !known {
		return Question{}, nearest.Unknown("kind", word, kinds)
	}
	if (kind == clusterRole || kind == audience) && namespace != "" {
		return Question{}, fmt.Errorf("-n cannot be used with %s: it has no namespace", word)
	}
	return Question{Kind: kind, Namespace: namespace, Name: name}, nil
}

package lint

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/files/repo"
	"github.com/salint/salint/internal/files/textpaths"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// createdAccount is an account that a text creates, such as a heredoc of a script.
type createdAccount struct {
	objects.Account
	place objects.Position
}

// createdInTexts returns the places of texts that create an account, or can create it once their variables are filled in.
func (m *mentions) createdInTexts(ctx context.Context, account objects.Account) ([]objects.Position, error) {
	all, err := m.created(ctx)
	if err != nil {
		return nil, err
	}
	var places []objects.Position
	for _, made := range all {
		if made.canBe(account) {
			places = append(places, made.place)
		}
	}
	return places, nil
}

// canBe reports whether the account can be another one. A name without any known part counts only in a namespace that is known.
func (a createdAccount) canBe(account objects.Account) bool {
	if a.Namespace != account.Namespace && strings.Trim(variable().ReplaceAllString(a.Name, ""), "-.") == "" {
		return false
	}
	return rbac.CanEqual(a.Name, account.Name) &&
		(objects.SameNamespace(a.Namespace, account.Namespace) || rbac.CanEqual(a.Namespace, account.Namespace))
}

var variable = lazyregexp.New(`\$[{(][^})]*[})]|\{\{.*?\}\}|<<.*?>>`)

// findCreated returns a function that searches all texts once, when the first rule asks.
func (m *mentions) findCreated() func(context.Context) ([]createdAccount, error) {
	var once sync.Once
	var found []createdAccount
	var err error
	// A separate search, so that its errors are not those of the search for names.
	search := &mentions{tree: m.tree, files: m.files, units: m.units, options: m.options, repository: m.repository}
	return func(ctx context.Context) ([]createdAccount, error) {
		once.Do(func() {
			err = errNotSearched
			found = search.accountsInTexts(ctx)
			err = search.err
		})
		return found, err
	}
}

func (m *mentions) accountsInTexts(ctx context.Context) []createdAccount {
	var found []createdAccount
	for file, data := range m.texts(ctx) {
		if !repo.IsManifest(file) && !textpaths.IsScript(file) || !bytes.Contains(data, []byte("create")) && !bytes.Contains(data, []byte("ServiceAccount")) {
			continue
		}
		for _, made := range slices.Concat(objects.AccountsInText(file, data), objects.ClonedAccounts(file, data)) {
			found = append(found, createdAccount{objects.Account{Namespace: made.Namespace, Name: made.Name}, objects.Position{File: file, Line: made.Line, Column: 1}})
		}
	}
	return found
}

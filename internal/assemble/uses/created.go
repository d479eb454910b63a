package uses

import (
	"bytes"
	"context"
	"slices"
	"strings"

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

// createdAccounts are all accounts that texts create.
type createdAccounts struct {
	all []createdAccount
	err error
}

// CreatedInTexts returns the places of texts that create an account, or can create it once their variables are filled in.
func (i *Index) CreatedInTexts(ctx context.Context, account objects.Account) ([]objects.Position, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.created == nil {
		i.created = &createdAccounts{err: errNotSearched}
		i.created = i.findCreated(ctx)
	}
	if i.created.err != nil {
		return nil, i.created.err
	}
	var places []objects.Position
	for _, made := range i.created.all {
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

func (i *Index) findCreated(ctx context.Context) *createdAccounts {
	found := &createdAccounts{}
	for file, data := range i.texts(ctx, &found.err) {
		if !repo.IsManifest(file) && !textpaths.IsScript(file) || !bytes.Contains(data, []byte("create")) && !bytes.Contains(data, []byte("ServiceAccount")) {
			continue
		}
		for _, made := range slices.Concat(AccountsInText(file, data), ClonedAccounts(file, data)) {
			found.all = append(found.all, createdAccount{objects.Account{Namespace: made.Namespace, Name: made.Name}, objects.Position{File: file, Line: made.Line, Column: 1}})
		}
	}
	return found
}

package grafana

import (
	"strconv"
	"time"

	"github.com/salint/salint/fixers/engine"
	"github.com/salint/salint/internal/files/commit"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/rbac"
)

// SetTokenExpiry sets a new expiry for a token of a GrafanaServiceAccount. The operator then deletes the token, creates it
// again, and updates the Secret. The fix is unsafe, because a program that read the Secret only once keeps an invalid token.
func SetTokenExpiry(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	path, err := tokenPath(r)
	if err != nil {
		return nil, err
	}
	if err := c.CheckApplied(r.Object, "set the date by hand"); err != nil {
		return nil, err
	}
	if err := c.CheckEditable(r.Object, path.Join(tokenNameKey), path.Join(expiresKey)); err != nil {
		return nil, err
	}
	at := c.Policy.Now.UTC().Add(c.Policy.TokenLifetime)
	if at.Year() > LastYear {
		return nil, engine.Refuse("the token would expire in the year %d, but a date has only four digits for the year: "+
			"lower grafana.tokenLifetime in .salint.yaml, or set an earlier --now", at.Year())
	}
	expires := at.Format(time.RFC3339)
	change, err := expiryChange(r.Object, path, expires)
	if err != nil {
		return nil, err
	}
	p := &engine.Plan{Object: r.Object, Description: "Set the expiry of token " + tokenName(r.Object, path) + " to " + expires +
		". The operator replaces the token and updates its Secret, so users of the old token must read the new one" +
		suspendedNote(r.Object)}
	p.AddChange(r.Object, change)
	c.DeclareBuiltChanges(p)
	return p, nil
}

// LastYear is the last year that a date of RFC 3339 can have.
const LastYear = 9999

// suspendedNote describes that the change has no effect yet, if the account is suspended.
func suspendedNote(account *objects.Object) string {
	if account.Node.Lookup(manifest.Path{"spec", "suspend"}).String() == "true" {
		return "; the account is suspended, so this takes effect once its field suspend is removed"
	}
	return ""
}

// The fields of a token.
const (
	expiresKey   = "expires"
	tokenNameKey = "name"
)

// tokenPath returns the path of the token of a finding, such as spec.tokens[0]. The finding may be about a field of the
// token.
func tokenPath(r engine.Request) (manifest.Path, error) {
	if r.Object.Kind == "GrafanaServiceAccount" && len(r.Path) >= 3 && r.Path[0] == "spec" && r.Path[1] == "tokens" {
		if path := r.Path[:3]; r.Object.Node.Lookup(path).IsMapping() {
			return path, nil
		}
	}
	return nil, engine.Refuse("%s of %s %s is not a token of a GrafanaServiceAccount", r.Path, r.Object.Kind, r.Object.Name)
}

// expiryChange replaces the date of a token, or adds one after its name.
func expiryChange(o *objects.Object, token manifest.Path, expires string) (engine.Change, error) {
	path := token.Join(expiresKey)
	c := engine.Change{Op: engine.AddField, Path: o.At(path), After: tokenNameKey, Value: expires, Order: commit.OrderOther}
	field, there := o.Node.Field(path)
	if !there {
		return c, nil
	}
	if field.Value.Alias() != nil {
		return c, engine.Refuse("%s is an alias, whose anchor may be used elsewhere: set the date by hand", o.Position(path))
	}
	written := o.Node.Lookup(path).String()
	if rbac.Templated(written) {
		return c, engine.Refuse("%s is a placeholder (%s): set the date where its value comes from", o.Position(path), written)
	}
	// Dates are compared as text: RFC 3339 in UTC and seconds sorts by time.
	if at, err := time.Parse(time.RFC3339, written); err == nil && at.UTC().Format(time.RFC3339) >= expires {
		return c, engine.Refuse("%s is not earlier than the new date %s: raise grafana.tokenLifetime in .salint.yaml",
			o.Position(path), expires)
	}
	c.Op, c.After = engine.SetText, ""
	return c, nil
}

// tokenName returns the name of a token in messages: its name, or its number in the list, starting with 1.
func tokenName(o *objects.Object, token manifest.Path) string {
	if name := o.Node.Lookup(token.Join(tokenNameKey)).String(); name != "" {
		return name
	}
	index, _ := strconv.Atoi(token[len(token)-1])
	return strconv.Itoa(index + 1)
}

package sandbox

import (
	"encoding/base64"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/policy"
)

// hidden replaces data of Secrets in remarks.
const hidden = "…"

// withoutSecrets returns remarks without the data of the Secrets that the process knows, because a policy can print whole objects.
func (k *knownValues) withoutSecrets(remarks []policy.Remark) []policy.Remark {
	if len(remarks) == 0 {
		return nil
	}
	var pairs []string
	for _, o := range k.objects {
		if kind := o.Get(ast.StringTerm("kind")); kind == nil || kind.Value.Compare(ast.String("Secret")) != 0 {
			continue
		}
		for _, field := range []string{"data", "stringData"} {
			pairs = append(pairs, secretTexts(o.Get(ast.StringTerm(field)))...)
		}
	}
	replacer := strings.NewReplacer(pairs...)
	for i := range remarks {
		remarks[i].Text = replacer.Replace(remarks[i].Text)
	}
	return remarks
}

// secretTexts returns the strings in data of a Secret, each followed by what replaces it. Strings in base64 count decoded, too.
func secretTexts(data *ast.Term) []string {
	if data == nil {
		return nil
	}
	var pairs []string
	add := func(t *ast.Term) bool {
		text, is := t.Value.(ast.String)
		if !is || text == "" {
			return false
		}
		pairs = append(pairs, string(text), hidden)
		if decoded, err := base64.StdEncoding.DecodeString(string(text)); err == nil && len(decoded) > 0 {
			pairs = append(pairs, string(decoded), hidden)
		}
		return false
	}
	if object, is := data.Value.(ast.Object); is {
		object.Foreach(func(_, value *ast.Term) { ast.WalkTerms(value, add) })
	} else {
		ast.WalkTerms(data, add)
	}
	return pairs
}

package sandbox

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/salint/salint/rules/policy"
)

// hidden replaces data of Secrets in remarks.
const hidden = "…"

// withoutSecrets returns remarks and a trace without the data of the Secrets that the process knows, because a policy can print whole
// objects.
func (k *knownValues) withoutSecrets(remarks []policy.Remark, steps string) ([]policy.Remark, string) {
	if len(remarks) == 0 && steps == "" {
		return nil, ""
	}
	var pairs []string
	for _, o := range k.objects {
		pairs = append(pairs, textsOfSecret(o)...)
	}
	replacer := strings.NewReplacer(pairs...)
	for i := range remarks {
		remarks[i].Text = replacer.Replace(remarks[i].Text)
	}
	return remarks, replacer.Replace(steps)
}

// textsOfSecret returns the strings in the data of a Secret as secretTexts does; nil for any other object.
func textsOfSecret(o ast.Object) (pairs []string) {
	if kind := o.Get(ast.StringTerm("kind")); kind == nil || kind.Value.Compare(ast.String("Secret")) != 0 {
		return nil
	}
	for _, field := range []string{"data", "stringData"} {
		pairs = append(pairs, secretTexts(o.Get(ast.StringTerm(field)))...)
	}
	return pairs
}

// Shown returns values of a rule as JSON for printing, without the data of the Secrets in them.
func Shown(all ...ast.Value) ([]string, error) {
	var pairs []string
	for _, value := range all {
		ast.WalkTerms(ast.NewTerm(value), func(t *ast.Term) bool {
			if o, is := t.Value.(ast.Object); is {
				pairs = append(pairs, textsOfSecret(o)...)
			}
			return false
		})
	}
	replacer := strings.NewReplacer(pairs...)
	texts := make([]string, len(all))
	for i, value := range all {
		plain, err := ast.JSON(value)
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(replaced(plain, replacer)); err != nil {
			return nil, err
		}
		texts[i] = strings.TrimSuffix(out.String(), "\n")
	}
	return texts, nil
}

// replaced returns a value of JSON with replacements in all strings.
func replaced(value any, by *strings.Replacer) any {
	switch value := value.(type) {
	case string:
		return by.Replace(value)
	case []any:
		for i := range value {
			value[i] = replaced(value[i], by)
		}
	case map[string]any:
		for key := range value {
			value[key] = replaced(value[key], by)
		}
	}
	return value
}

// hidingOf returns a text, and its form in quotes if that is another, each followed by what replaces it.
func hidingOf(text string) []string {
	pairs := []string{text, hidden}
	if quoted := strings.Trim(strconv.Quote(text), `"`); quoted != text {
		pairs = append(pairs, quoted, hidden)
	}
	return pairs
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
		pairs = append(pairs, hidingOf(string(text))...)
		if decoded, err := base64.StdEncoding.DecodeString(string(text)); err == nil && len(decoded) > 0 {
			pairs = append(pairs, hidingOf(string(decoded))...)
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

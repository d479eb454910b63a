package accounttoken_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/salint/salint/internal/files/accounttoken"
)

func token(claims, signature string) string {
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"alg":"RS256","kid":"k"}`)) + "." + encode([]byte(claims)) + "." + signature
}

const (
	legacy = `{"iss":"kubernetes/serviceaccount","kubernetes.io/serviceaccount/namespace":"ci","kubernetes.io/serviceaccount/secret.name":"robot-token",` +
		`"kubernetes.io/serviceaccount/service-account.name":"robot","sub":"system:serviceaccount:ci:robot"}`
	bound = `{"aud":["vault"],"exp":1900000000,"iss":"https://issuer.example.com","kubernetes.io":{"namespace":"ci","pod":{"name":"robot-0"},"node":{"name":"n1"}},` +
		`"sub":"system:serviceaccount:ci:robot"}`
	user = `{"iss":"https://sso.example.com","sub":"anna","exp":1900000000}`
	odd  = `{"sub":"system:serviceaccount:ci:robot; rm -rf"}`
)

func TestFind(t *testing.T) {
	t.Parallel()
	base64Of := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"legacy":            {"a " + token(legacy, "c2lnbmF0dXJl") + " b", []string{"ci/robot secret=robot-token"}},
		"bound":             {token(bound, "c2lnbmF0dXJl"), []string{"ci/robot bound=Pod/robot-0 until 2030 for vault"}},
		"base64":            {base64Of(token(legacy, "c2lnbmF0dXJl")), []string{"ci/robot secret=robot-token"}},
		"JSON in base64":    {base64Of(`{"bearerToken": "` + token(legacy, "c2lnbmF0dXJl") + `"}`), []string{"ci/robot secret=robot-token"}},
		"wrapped base64":    {wrap(base64Of(token(legacy, "c2lnbmF0dXJl"))), []string{"ci/robot secret=robot-token"}},
		"of a user":         {token(user, "c2lnbmF0dXJl"), nil},
		"without signature": {token(legacy, "REDACTED") + " " + token(legacy, ""), nil},
		"odd name":          {token(odd, "c2lnbmF0dXJl"), nil},
		"no claims":         {"eyJhbGciOiJSUzI1NiJ9.eyJhbGciOiJSUzI1NiJ9eyJhbGciOiJSUzI1NiJ9.c2lnbmF0dXJl", nil},
	} {
		var got []string
		for _, found := range accounttoken.Find(test.text) {
			got = append(got, described(found))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if len(test.want) > 0 && !accounttoken.MayHold([]byte(test.text)) {
			t.Errorf("%s has none of the words", name)
		}
	}
}

func wrap(text string) string {
	var lines []string
	for len(text) > 76 {
		lines, text = append(lines, text[:76]), text[76:]
	}
	return strings.Join(append(lines, text), "\n")
}

func described(t accounttoken.Token) string {
	text := t.Namespace + "/" + t.Account
	if t.Secret != "" {
		text += " secret=" + t.Secret
	}
	if t.BoundKind != "" {
		text += " bound=" + t.BoundKind + "/" + t.BoundName
	}
	if !t.Expires.IsZero() {
		text += " until " + t.Expires.Format("2006")
	}
	if len(t.Audiences) > 0 {
		text += " for " + strings.Join(t.Audiences, ",")
	}
	return text
}

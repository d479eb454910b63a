// Package accounttoken finds tokens of service accounts in texts: whose they are, and how long they are valid. Nothing that it returns
// contains a token.
package accounttoken

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/salint/salint/internal/base/lazyregexp"
)

// Token is what the claims of a token state. A signature is never verified: the keys are those of a cluster.
type Token struct {
	Namespace, Account string
	// Secret is the Secret into which the token controller wrote the token, "" for a token of the TokenRequest API.
	Secret string
	// BoundKind and BoundName are the object with which a token becomes invalid, "" if it is bound to none.
	BoundKind, BoundName string
	// Expires is the zero time if the token never expires.
	Expires time.Time
	// Audiences are empty for a token of the token controller, which the API server accepts.
	Audiences []string
	// Start and End are the bytes of the text that contain it.
	Start, End int
}

// Words are what a text with a token contains: the beginning of a token, and what each of the three positions in base64 makes of it.
// Every token begins with the base64 of `{"`. https://www.rfc-editor.org/rfc/rfc7519#section-3.1
var Words = []string{"eyJ", "ZXlK", "V5S", "leUp", "leUo"}

var (
	// compact is a token as it is sent: header, claims, and signature.
	compact = lazyregexp.New(`eyJ[\w-]{8,}\.(eyJ[\w-]{16,})\.([\w-]+)`)
	// encoded is base64 of the length of a token.
	encoded = lazyregexp.New(`[A-Za-z0-9+/]{80,}={0,2}`)
	// wrapped is base64 in lines of one length.
	wrapped = lazyregexp.New(`[A-Za-z0-9+/]{60,}(?:\r?\n[ \t]*[A-Za-z0-9+/]+)+={0,2}`)
	// name matches names that the API server accepts. Messages and commands show nothing else of a token.
	name = lazyregexp.New(`^[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?$`)
	// removed is what stands where a signature was.
	removed = lazyregexp.New(`(?i)^(?:x+|_+|-+|redacted|removed|signature|masked|sig|secret|example)$`)
)

// MayHold reports whether a text can contain a token, by its words.
func MayHold(text []byte) bool {
	for _, word := range Words {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// Find returns the tokens in a text, as they are and in base64, in their order. A JWT of anything else than a service account is none, nor is one
// without a signature.
func Find(text string) []Token { return find(text, true) }

func find(text string, decode bool) []Token {
	var found []Token
	if strings.Contains(text, Words[0]) {
		for _, at := range compact().FindAllStringSubmatchIndex(text, -1) {
			if removed().MatchString(text[at[4]:at[5]]) {
				continue
			}
			if token, is := read(text[at[2]:at[3]]); is {
				token.Start, token.End = at[0], at[1]
				found = append(found, token)
			}
		}
	}
	if !decode || !MayHold([]byte(text)) {
		return found
	}
	for _, form := range []func() *regexp.Regexp{wrapped, encoded} {
		for _, at := range form().FindAllStringIndex(text, -1) {
			found = append(found, inBase64(text, at[0], at[1], found)...)
		}
	}
	return found
}

// inBase64 returns the tokens in a part of a text that is base64, unless the part is among those of known tokens.
func inBase64(text string, start, end int, known []Token) []Token {
	for _, token := range known {
		if start < token.End && token.Start < end {
			return nil
		}
	}
	part := strings.TrimRight(strings.Join(strings.Fields(text[start:end]), ""), "=")
	if len(part)%4 == 1 { // the last letter is not a byte
		part = part[:len(part)-1]
	}
	decoded, err := base64.RawStdEncoding.DecodeString(part)
	if err != nil {
		return nil
	}
	tokens := find(string(decoded), false)
	for i := range tokens {
		tokens[i].Start, tokens[i].End = start, end
	}
	return tokens
}

// claims are those of both kinds of tokens of service accounts.
// https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/serviceaccount/claims.go
// https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/serviceaccount/legacy.go
type claims struct {
	Issuer          string   `json:"iss"`
	Subject         string   `json:"sub"`
	Expiry          *float64 `json:"exp"`
	Audience        any      `json:"aud"`
	LegacyNamespace string   `json:"kubernetes.io/serviceaccount/namespace"`
	LegacyAccount   string   `json:"kubernetes.io/serviceaccount/service-account.name"`
	LegacySecret    string   `json:"kubernetes.io/serviceaccount/secret.name"`
	Kubernetes      struct {
		Pod, Secret, Node *struct{ Name string }
	} `json:"kubernetes.io"`
}

const (
	legacyIssuer  = "kubernetes/serviceaccount"
	subjectPrefix = "system:serviceaccount:"
)

func read(part string) (Token, bool) {
	data, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return Token{}, false
	}
	var c claims
	if err := json.Unmarshal(data, &c); err != nil {
		return Token{}, false
	}
	t := Token{Namespace: c.LegacyNamespace, Account: c.LegacyAccount, Audiences: audiences(c.Audience)}
	if subject, is := strings.CutPrefix(c.Subject, subjectPrefix); is {
		t.Namespace, t.Account, _ = strings.Cut(subject, ":")
	} else if c.Issuer != legacyIssuer {
		return Token{}, false
	}
	t.Secret = c.LegacySecret
	switch bound := c.Kubernetes; {
	case bound.Pod != nil:
		t.BoundKind, t.BoundName = "Pod", bound.Pod.Name
	case bound.Secret != nil:
		t.BoundKind, t.BoundName = "Secret", bound.Secret.Name
	case bound.Node != nil:
		t.BoundKind, t.BoundName = "Node", bound.Node.Name
	}
	if t.Secret != "" && !name().MatchString(t.Secret) {
		t.Secret = ""
	}
	if t.BoundKind != "" && !name().MatchString(t.BoundName) {
		t.BoundKind, t.BoundName = "", ""
	}
	if c.Expiry != nil && *c.Expiry > 0 && *c.Expiry < math.MaxInt32*100 {
		t.Expires = time.Unix(int64(*c.Expiry), 0).UTC()
	}
	return t, name().MatchString(t.Account) && name().MatchString(t.Namespace)
}

// audiences reads a claim that is a text or a list of texts.
func audiences(claim any) []string {
	switch claim := claim.(type) {
	case string:
		return []string{claim}
	case []any:
		var all []string
		for _, item := range claim {
			if text, is := item.(string); is {
				all = append(all, text)
			}
		}
		return all
	}
	return nil
}

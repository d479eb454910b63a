// Package accounttoken finds tokens of service accounts in texts: whose they are, and how long they are valid. Nothing that it returns
// contains a token.
package accounttoken

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math"
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
	// Elsewhere is an audience if none is one that API servers have by default: the token is for what has this audience.
	Elsewhere string
	// Digest is the same for the same token only. It is made of the signature, too, and leads back to nothing.
	Digest [sha256.Size]byte
	// Start and End are the bytes of the text that contain it.
	Start, End int
}

// Words are what a text with a token contains: the beginning of a token, and what each of the three positions in base64 makes of it.
// Every token begins with the base64 of `{"`. https://www.rfc-editor.org/rfc/rfc7519#section-3.1
var Words = []string{"eyJ", "ZXlK", "V5S", "leUp", "leUo"}

var (
	// compact is a token as it is sent: header, claims, and signature.
	compact = lazyregexp.New(`eyJ[\w-]{8,}\.(eyJ[\w-]{16,})\.([\w-]+)`)
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
				token.Start, token.End, token.Digest = at[0], at[1], sha256.Sum256([]byte(text[at[0]:at[1]]))
				found = append(found, token)
			}
		}
	}
	if !decode || !MayHold([]byte(text)) {
		return found
	}
	for _, inLines := range []bool{true, false} {
		for _, at := range encoded(text, inLines) {
			found = append(found, inBase64(text, at[0], at[1], found)...)
		}
	}
	return found
}

// The least length of base64 that can be a token, in one line, and of the first of several lines.
const (
	leastEncoded = 80
	leastWrapped = 60
)

// encoded returns the parts of a text that are base64, those in several lines, or all that are in one. An expression for this takes
// far longer, as many objects have long texts in base64.
func encoded(text string, inLines bool) [][2]int {
	var parts [][2]int
	for start := 0; start < len(text); {
		end := start + lengthOfBase64(text[start:])
		isPart := !inLines && end-start >= leastEncoded
		if inLines && end-start >= leastWrapped {
			last, lines := linesFrom(text, end)
			end, isPart = last, lines > 0
		}
		for padding := 0; isPart && padding < 2 && end < len(text) && text[end] == '='; padding++ {
			end++
		}
		if isPart {
			parts = append(parts, [2]int{start, end})
		}
		start = max(end, start+1)
	}
	return parts
}

// linesFrom returns the end of the lines of base64 that follow a line, and their number.
func linesFrom(text string, end int) (last, lines int) {
	for {
		rest := strings.TrimPrefix(text[end:], "\r")
		next, is := strings.CutPrefix(rest, "\n")
		next = strings.TrimLeft(next, " \t")
		length := lengthOfBase64(next)
		if !is || length == 0 {
			return end, lines
		}
		end, lines = len(text)-len(next)+length, lines+1
	}
}

func lengthOfBase64(text string) int {
	for i := range len(text) {
		c := text[i]
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '+' && c != '/' {
			return i
		}
	}
	return len(text)
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
	t.Secret, t.Elsewhere = c.LegacySecret, elsewhere(t.Audiences, c.Issuer)
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

// audience matches the audiences that messages show, and ofServer those that API servers have by default: the issuer, and these of
// installers of clusters.
var (
	audience = lazyregexp.New(`^[\w.:/@-]{1,60}$`)
	ofServer = lazyregexp.New(`kubernetes|^(?:api|k3s|rke2|k0s|openshift)$`)
)

// elsewhere returns the first audience if none is one that API servers have by default. One that was given another accepts the token, too.
func elsewhere(audiences []string, issuer string) string {
	for _, a := range audiences {
		if a == issuer || ofServer().MatchString(a) || !audience().MatchString(a) {
			return ""
		}
	}
	if len(audiences) == 0 {
		return ""
	}
	return audiences[0]
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

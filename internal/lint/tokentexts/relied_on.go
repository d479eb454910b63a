package tokentexts

import (
	"bytes"
	"fmt"
	"iter"
	"regexp"
	"strings"

	"github.com/salint/salint/internal/base/lazyregexp"
	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/manifest"
	"github.com/salint/salint/internal/files/textpaths"
)

func lower(text string) string { return strings.ToLower(text) }

// mayRely reports whether a text can rely on generated Secrets, by its words: what the expressions below cannot match without.
func mayRely(text []byte) bool {
	has := func(word string) bool { return bytes.Contains(text, []byte(word)) }
	return has(".secrets") || has(".Secrets") || has("default_secret_name") || has("-token") && has("get ") || has("oken") && has("describe ")
}

var (
	aboutAccounts = lazyregexp.New(`(?i)\b(?:sa|service_?accounts?)\b|service_?account|get\s+secrets?\b`)
	// getsAccount matches a command that reads an account, with its name.
	getsAccount = lazyregexp.New(`\b(?:kubectl|oc|k|KUBECTL|kubectl\S*|\$\{?\w+\}?|\$\(\w+\))\s[^|;]*?\bget\s[^|;]*?\b(?:sa|serviceaccounts?)(?:/|\s+)["']?([^\s"'|;)]*)`)
	// firstSecret matches the name of a Secret in the list of an account: in JSONPath, a template of Go, and jq.
	firstSecret = lazyregexp.New(`(?:^|[^\w\])}])\.(?:items\[[^\]]*\]\.)?secrets(?:\[[^\]]*\]\.|\[\]\s*\|\s*\.)name\b|\.secrets\s*\|\s*(?:first|\.\[[^\]]*\])\s*\|?\s*\.name\b|range\s+\.secrets\b|index\s+\.secrets\s+0`)
	// ofProgram matches the same with a client library, or with Ansible.
	ofProgram = lazyregexp.New(`(?i)(?:\b\w*account\w*(?:\([^)]*\))?|\bsa|\bresources\[0\])\.secrets\[0\]\.name\b`)
	// ofTerraform matches the attribute of the provider, which is empty. https://registry.terraform.io/providers/hashicorp/kubernetes/latest/docs/resources/service_account
	ofTerraform = lazyregexp.New(`\bkubernetes_service_account(?:_v1)?\.([\w-]+)(?:\[[^\]]*\])?\.default_secret_name\b`)
	// describesAccount matches a command that looks for a token in the description of an account.
	describesAccount = lazyregexp.New(`\bdescribe\s[^|;]*?\b(?:sa|serviceaccounts?)(?:/|\s+)["']?([^\s"'|;)]*)[^;]*\|\s*(?:grep|awk|sed)\b[^;]*[Tt]oken`)
	// searchesSecrets matches a command that looks for the Secret with the name that is generated for an account.
	searchesSecrets = lazyregexp.New(`\bget\s[^|;]*?\bsecrets?\b[^;]*\|\s*(?:e?grep|awk)\s+(?:-\S+\s+)*["'/^]*([a-z0-9$][\w.${}-]*?)-token\b-?`)
	// listsSecrets matches a command that adds a Secret to the list.
	listsSecrets = lazyregexp.New(`\bsecrets\s+(?:link|add)\b|\bpatch\b[^\n]*\b(?:sa|serviceaccounts?)\b[^\n]*secrets|\bpatch\b[^\n]*secrets`)
	// alternatives are commands that get a token in another way.
	alternatives = lazyregexp.New(`\bcreate\s+token\b|kubernetes\.io/service-account-token|TokenRequest|create_namespaced_service_account_token`)
	placeholder  = lazyregexp.New(`[^a-z0-9.-]`)
)

// reliance is a line that relies on a generated Secret.
type reliance struct {
	start, end int
	account    string
	// what is wrong, with %s for the account.
	what string
	// listed is true if an entry in the list of an account makes the line work, otherwise a Secret with the name.
	listed bool
}

const emptyList = "The field `secrets` of %s is empty, so the command gets no token"

// reliances returns findings about what in a file relies on generated Secrets. Before Kubernetes 1.24, the token controller generated a
// Secret for each account, and entered it in `secrets` of the account.
// https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.24.md (LegacyServiceAccountTokenNoAutoGeneration)
func reliances(file *manifest.File, listed *listings) []finding.Finding {
	if !mayRely(file.Data) || textpaths.IsDocument(file.Path) {
		return nil
	}
	relied := reliancesIn(string(file.Data))
	if len(relied) == 0 || listsSecrets().Match(file.Data) {
		return nil
	}
	var found []finding.Finding
	for _, r := range relied {
		if r.listed && listed.hasAccount(r.account) || !r.listed && listed.hasSecret(r.account) {
			continue
		}
		at := finding.RangeIn(file, manifest.Span{Start: r.start, End: r.end})
		f := finding.AboutFile(RuleReliedOn, file.Path, at, relianceMessage(r))
		if alternatives().Match(file.Data) || textpaths.IsOfTests(file.Path) {
			f.Severity = finding.Note
		}
		found = append(found, f)
	}
	return found
}

func relianceMessage(r reliance) string {
	account, name := "ServiceAccount "+r.account, r.account
	if r.account == "" || placeholder().MatchString(r.account) {
		account, name = "an account", "ACCOUNT"
	}
	return fmt.Sprintf(r.what+". Since Kubernetes 1.24, no token Secret is generated. Use a token that expires: kubectl create token %s.", account, name)
}

// reliancesIn returns the reliances of the lines of a text; lines that continue are one.
func reliancesIn(text string) []reliance {
	var found []reliance
	program := strings.Contains(text, "[0].") && ofProgram().MatchString(text) && aboutAccounts().MatchString(text)
	for start := 0; start < len(text); {
		end := logicalEnd(text, start)
		line := text[start:end]
		if mayRely([]byte(line)) && !strings.HasPrefix(strings.TrimSpace(line), "#") && !strings.HasPrefix(strings.TrimSpace(line), "//") {
			if r, is := relianceIn(line, program); is {
				r.start, r.end = r.start+start, r.end+start
				found = append(found, r)
			}
		}
		start = end + 1
	}
	return found
}

// logicalEnd is the end of a line with those that continue it.
func logicalEnd(text string, start int) int {
	for at := start; ; {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text)
		}
		at += next
		if line := strings.TrimRight(text[start:at], " \r"); !strings.HasSuffix(line, "\\") && !strings.HasSuffix(line, "|") {
			return at
		}
		at++
	}
}

func relianceIn(line string, program bool) (reliance, bool) {
	if at := ofTerraform().FindStringSubmatchIndex(line); at != nil {
		return reliance{start: at[0], end: at[1], account: line[at[2]:at[3]], what: "default_secret_name of %s is empty"}, true
	}
	if at := firstSecret().FindStringIndex(line); at != nil {
		if named := getsAccount().FindStringSubmatch(line); named != nil {
			return reliance{start: at[0], end: at[1], account: named[1], what: emptyList, listed: true}, true
		}
	}
	if program {
		if at := ofProgram().FindStringIndex(line); at != nil {
			return reliance{start: at[0], end: at[1], what: emptyList, listed: true}, true
		}
	}
	return relianceOnName(line)
}

// relianceOnName is about commands that look for the name of a generated Secret in what another command prints.
func relianceOnName(line string) (reliance, bool) {
	for _, form := range []func() *regexp.Regexp{describesAccount, searchesSecrets} {
		if at := form().FindStringSubmatchIndex(line); at != nil {
			return reliance{start: at[0], end: at[1], account: line[at[2]:at[3]], what: "The command finds no generated token Secret of %s"}, true
		}
	}
	return reliance{}, false
}

// listings are the lists of the accounts of a repository, and the names of its Secrets, which are read when a line depends on them.
type listings struct {
	manifests iter.Seq2[string, []byte]
	read      bool
	// accounts are those that list a Secret, and secrets are the names of Secrets.
	accounts map[string]bool
	secrets  []string
}

// hasAccount reports whether an account lists a Secret; for a name that is filled in, whether any does.
func (l *listings) hasAccount(name string) bool {
	l.load()
	if name == "" || placeholder().MatchString(name) {
		return len(l.accounts) > 0
	}
	return l.accounts[name]
}

// hasSecret reports whether a Secret has the name that a command looks for; for one that is filled in, whether any can have it.
func (l *listings) hasSecret(account string) bool {
	l.load()
	for _, name := range l.secrets {
		if strings.Contains(name, account+"-token") || placeholder().MatchString(account) && strings.Contains(name, "-token") {
			return true
		}
	}
	return false
}

func (l *listings) load() {
	if l.read {
		return
	}
	l.read, l.accounts = true, map[string]bool{}
	for file, data := range l.manifests {
		if !bytes.Contains(data, []byte("ServiceAccount")) && !bytes.Contains(data, []byte("-token")) {
			continue
		}
		for _, doc := range manifest.Scan(file, data).Docs {
			l.add(doc)
		}
	}
}

func (l *listings) add(doc *manifest.Document) {
	switch kind := doc.Kind(); {
	case kind != "ServiceAccount" && kind != "Secret" && kind != "":
	case doc.Parse() != nil:
	case doc.Root.Get("kind").String() == "Secret":
		l.secrets = append(l.secrets, doc.Root.Get("metadata").Get("name").String())
	case len(doc.Root.Get("secrets").Items()) > 0:
		l.accounts[doc.Root.Get("metadata").Get("name").String()] = true
	}
}

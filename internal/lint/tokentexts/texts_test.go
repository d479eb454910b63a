package tokentexts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/salint/salint/internal/config/finding"
	"github.com/salint/salint/internal/files/accounttoken"
	"github.com/salint/salint/internal/lint/tokentexts"
)

// robot is a token of ServiceAccount shop/robot, with a signature of no key.
const robot = "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIn0.eyJhdWQiOlsiaHR0cHM6Ly9rdWJlcm5ldGVzLmRlZmF1bHQuc3ZjIl0sImV4cCI6MTkwMDAwMDAwMCwiaWF0IjoxNzAwMDAwMDAwLCJpc3MiOiJodHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMiLCJrdWJlcm5ldGVzLmlvIjp7Im5hbWVzcGFjZSI6InNob3AiLCJzZXJ2aWNlYWNjb3VudCI6eyJuYW1lIjoicm9ib3QiLCJ1aWQiOiIxIn19LCJzdWIiOiJzeXN0ZW06c2VydmljZWFjY291bnQ6c2hvcDpyb2JvdCJ9.c2lnbmF0dXJlIG9mIGEgdGVzdCBmb3Igc2FsaW50LCBtYWRlIHVwIGVudGlyZWx5"

func inGit(t *testing.T, data string, roles ...string) finding.Finding {
	t.Helper()
	texts := &tokentexts.Texts{}
	texts.Inspect("login.sh", []byte(data))
	found := texts.Findings(tokentexts.Repository{
		Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Roles: func(string, string) []string { return roles },
		IsKnown:   func(string, accounttoken.Token) bool { return false },
		Manifests: func(func(string, []byte) bool) {},
	})
	if len(found) != 1 {
		t.Fatalf("got %d findings, want 1: %v", len(found), found)
	}
	return found[0]
}

func TestFingerprintOfATokenIsWithoutRoles(t *testing.T) {
	bare, admin := inGit(t, "TOKEN="+robot), inGit(t, "# moved\nTOKEN="+robot, "ClusterRole admin everywhere")
	if bare.Message == admin.Message || !strings.Contains(admin.Message, "ClusterRole admin") {
		t.Errorf("the message does not name the role: %s", admin.Message)
	}
	if bare.Fingerprint() != admin.Fingerprint() {
		t.Error("the fingerprint depends on the roles of the account")
	}
	if other := inGit(t, "TOKEN=eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIn0.eyJhdWQiOlsiaHR0cHM6Ly9rdWJlcm5ldGVzLmRlZmF1bHQuc3ZjIl0sImV4cCI6MTkwMDAwMDAwMCwiaWF0IjoxNzAwMDAwMDAwLCJpc3MiOiJodHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMiLCJrdWJlcm5ldGVzLmlvIjp7Im5hbWVzcGFjZSI6InNob3AiLCJzZXJ2aWNlYWNjb3VudCI6eyJuYW1lIjoib3RoZXIiLCJ1aWQiOiIxIn19LCJzdWIiOiJzeXN0ZW06c2VydmljZWFjY291bnQ6c2hvcDpvdGhlciJ9.c2lnbmF0dXJlIG9mIGEgdGVzdCBmb3Igc2FsaW50LCBtYWRlIHVwIGVudGlyZWx5"); other.Fingerprint() == bare.Fingerprint() {
		t.Error("the token of another account has the same fingerprint")
	}
}

func TestTokenIsReportedOnce(t *testing.T) {
	if found := inGit(t, "A="+robot+"\nB="+robot); found.Range.Line != 1 {
		t.Errorf("reported in line %d", found.Range.Line)
	}
}

package engine

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/salint/salint/internal/kube/objects"
)

// Describe returns what the user asked to grant, for messages.
func (g Grant) Describe() string {
	if g.Mode == RoleGrant {
		return "ClusterRole " + g.Role
	}
	return "what the bundle needs"
}

// Policy is what the user wants: the options of the command line, and the configuration.
type Policy struct {
	Grant  Grant
	Tokens Tokens
	// PodSpecs are kinds that embed a pod, in addition to the kinds that are always known.
	PodSpecs []objects.PodSpecKind
	// Now is the current time. TokenLifetime is how long the Grafana tokens live whose expiry a fix sets.
	Now           time.Time
	TokenLifetime time.Duration
	// Prune also removes what only the removed fields used. Unsafe allows what can change behavior.
	Prune, Unsafe bool
	// Leftovers are accounts and roles that an interrupted run was about to prune.
	Leftovers []*objects.Object
	// FormerFiles are the files of extensions that are gone since a revision, by the account among the leftovers that they named.
	FormerFiles map[*objects.Object]string
}

// GrantMode is the way in which the permissions of a synthetic identity are chosen.
type GrantMode string

// The modes.
const (
	// CarryOver grants what the account had.
	CarryOver GrantMode = "carry-over"
	// LeastPrivilege grants what the bundle needs.
	LeastPrivilege GrantMode = "least-privilege"
	// GroupGrant grants what the account had to the group of all extensions.
	GroupGrant GrantMode = "group"
	// RoleGrant grants a named ClusterRole and nothing else.
	RoleGrant GrantMode = "role"
)

// Grant is which permissions the user wants to grant. The zero value is carry-over.
type Grant struct {
	Mode GrantMode
	// Role is the ClusterRole of RoleGrant.
	Role string
}

// Chosen reports whether the user chose what to grant, so that it does not matter what the old identity was granted.
func (g Grant) Chosen() bool { return g.Mode == RoleGrant || g.Mode == LeastPrivilege }

// String returns the value of --grant.
func (g Grant) String() string {
	switch g.Mode {
	case RoleGrant:
		return "role=" + g.Role
	case "":
		return string(CarryOver)
	}
	return string(g.Mode)
}

// ParseGrant parses the value of --grant.
func ParseGrant(s string) (Grant, error) {
	if role, ok := strings.CutPrefix(s, "role="); ok {
		if role == "" {
			return Grant{}, errors.New("--grant role= names no role: write role=NAME with the name of a ClusterRole")
		}
		return Grant{RoleGrant, role}, nil
	}
	switch mode := GrantMode(s); mode {
	case "", CarryOver:
		return Grant{Mode: CarryOver}, nil
	case GroupGrant, LeastPrivilege:
		return Grant{Mode: mode}, nil
	}
	return Grant{}, fmt.Errorf("unknown grant %q: use carry-over, least-privilege, group, or role=NAME", s)
}

// Tokens are the options for projecting tokens into pods.
type Tokens struct {
	// Audience is the audience of the token; "" is the API server. It counts only if AudienceGiven is set: the user set an
	// audience.
	Audience          string
	AudienceGiven     bool
	ExpirationSeconds int64
}

package session

import "github.com/salint/salint/rules"

// policies are shared by all tests of the package, so that each policy is compiled once.
var policies = rules.NewPolicyCache()

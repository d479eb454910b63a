package session

import (
	"github.com/salint/salint/rules/modules"
)

// policies are shared by all tests of the package, so that each policy is compiled once.
var policies = modules.NewCache()

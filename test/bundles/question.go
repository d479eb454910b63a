package main

import rbacv1 "k8s.io/api/rbac/v1"

// Question asks the packages of operator-controller about a bundle. This file is compiled into both programs.
type Question struct {
	// Bundle is the folder of the bundle, and From that of the version that is installed, if any.
	Bundle, From string
	// Extension and Account are the names of the extension and its account, in Namespace.
	Extension, Account, Namespace string
	// Watch is the namespace to watch, and FromWatch that of the installed version; "" if the extension sets none.
	Watch, FromWatch string
	// Gates turns all feature gates on; otherwise they have their defaults.
	Gates bool
	// Grant is what the account is granted; nil if permissions are not checked.
	Grant []Scoped
	// Least also asks what of Grant an account without permissions would not miss.
	Least bool
}

// Scoped are rules that are granted in a namespace, or everywhere.
type Scoped struct {
	Namespace string              `json:"namespace"`
	Rules     []rbacv1.PolicyRule `json:"rules"`
}

// Answer is what operator-controller does.
type Answer struct {
	// Package is the name of the package, Name that of the bundle, Replaces that of the bundle before it, and Modes are the supported
	// install modes.
	Package, Name, Replaces string
	Modes                   []string
	// Dependency is why the bundle is not resolved, and Refused why it is not rendered.
	Dependency, Refused string
	// Missing are the rules that the pre-authorizer misses, and Unchecked why it did not check all.
	Missing   []Scoped
	Unchecked string
	// Unneeded is what of Grant is not missing without it, and Unweighed why that is unknown.
	Unneeded  []Scoped
	Unweighed string
	// Blocked is why the upgrade is blocked.
	Blocked string
	// Fault is set if operator-controller's code crashes, or the program cannot ask it.
	Fault string
}

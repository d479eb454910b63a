package world

import "slices"

// nowhere looks like the user of an account, but has no namespace.
const nowhere = "system:serviceaccount::installer"

var (
	namespaces   = []string{"ns-a", "ns-b", "ns-c"}
	roleNames    = []string{"reader", "writer", "installer", "argocd:manager", "edit-all"}
	missingRoles = []string{"absent", "system:absent"}
	builtinRoles = []string{"cluster-admin", "admin", "edit", "view"}

	verbs     = []string{"get", "list", "create", "update", "delete", "deletecollection", "bind", "escalate", "impersonate:user-info", "impersonate-on:user-info:get", "*"}
	apiGroups = []string{"", "", "apps", "rbac.authorization.k8s.io", "authentication.k8s.io", "example.com", "*"}
	resources = []string{
		"pods", "pods", "pods/log", "pods/*", "deployments", "deployments/scale", "clusterroles", "users", "widgets",
		"widgets/status", "*", "*/scale", "*/log", "*/*", "Pods", "pods/", "/log", "pods/log/old",
	}
	objectNames = []string{"one", "two", "argocd", "", "*"}
	urls        = []string{
		"/healthz", "/healthz/*", "/healthz*", "/api", "/api/*", "/apis/apps", "/*", "*", "/metrics", "/", "", "healthz",
		"/a*c", "/api**", "**", "/healthz/", "/api/*/v1",
	}

	askedVerbs     = []string{"get", "list", "create", "update", "delete", "deletecollection", "bind", "watch", "impersonate:user-info", "impersonate-on:user-info:get", "impersonate-on:user-info:list", "*", "Get"}
	askedGroups    = []string{"", "", "apps", "rbac.authorization.k8s.io", "authentication.k8s.io", "example.com", "other.example.com", "*"}
	askedResources = []string{"pods", "pods", "deployments", "clusterroles", "users", "widgets", "secrets", "*", "Pods", "pods/log"}
	askedSubs      = []string{"", "", "", "log", "scale", "status", "*", "log/old"}
	askedNames     = []string{"", "one", "two", "argocd", "three", "*"}
	askedURLs      = []string{
		"/healthz", "/healthz/etcd", "/healthzz", "/api", "/api/v1", "/apis/apps", "/metrics", "/", "/abc", "/a*c", "*",
		"/healthz/", "healthz", "/api/x/v1",
	}

	// whoAsks leaves out a name that no API server gives to a user; salint reads it as an account of any namespace.
	whoAsks = slices.DeleteFunc(slices.Clone(users), func(user string) bool { return user == nowhere })

	accountNames = []string{"installer", "default", "argocd"}
	users        = []string{
		"alice", "bob", "olm:clusterextension:argocd", "olm:clusterextensions:argocd", "system:admin",
		"system:serviceaccount:ns-a:installer", "system:serviceaccount:ns-b:default", "system:serviceaccount:ns-a:",
		nowhere, "system:serviceaccount:ns-a:installer:more", "system:serviceaccounts:ns-a",
		"*", "system:authenticated",
	}
	groups = []string{
		"devs", "olm:clusterextensions", "system:authenticated", "system:serviceaccounts",
		"system:serviceaccounts:ns-a", "system:serviceaccounts:ns-b", "system:masters-of-none", "alice", "*",
	}

	labelKeys   = []string{"example.com/aggregate-to-all", "example.com/tier", "team"}
	labelValues = []string{"true", "false", "a", "b", ""}
)

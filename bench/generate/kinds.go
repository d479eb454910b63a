package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

var (
	environments = []string{"dev", "staging", "prod-east", "prod-west"}
	applications = []string{"billing", "catalogue", "checkout", "gateway", "ledger", "mailer", "orders", "search", "stock"}
	words        = []string{
		"address", "balance", "cache", "default", "endpoint", "fallback", "gateway", "header", "interval", "journal",
		"keepalive", "limit", "metrics", "namespace", "offset", "prefix", "queue", "retry", "shard", "timeout", "upstream",
	}
)

// writer writes documents at random.
type writer struct{ random *rand.Rand }

func (w *writer) pick(from []string) string { return from[w.random.IntN(len(from))] }

// kind is one kind of document. write writes one of about the given size.
type kind struct {
	name   string
	weight int
	write  func(w *writer, name string, size int) string
}

// kinds and their shares in a hundred documents, as in repositories that a GitOps controller applies.
var kinds = []kind{
	{"deployment", 28, (*writer).deployment},
	{"service", 18, (*writer).service},
	{"configmap", 20, (*writer).configMap},
	{"ingress", 10, (*writer).ingress},
	{"servicemonitor", 8, (*writer).serviceMonitor},
	{"helmrelease", 8, (*writer).helmRelease},
	{"rbac", 8, (*writer).role},
}

func (w *writer) kind() kind {
	n := w.random.IntN(100)
	for _, k := range kinds {
		if n -= k.weight; n < 0 {
			return k
		}
	}
	return kinds[0]
}

// document joins a start, as many lines as the size requires, and an end.
func document(start string, size int, line func(i int) string, end string) string {
	var b strings.Builder
	b.WriteString(start)
	for i := 0; b.Len()+len(end) < size; i++ {
		b.WriteString(line(i))
	}
	b.WriteString(end)
	return b.String()
}

func head(apiVersion, kind, name string) string {
	return fmt.Sprintf(`apiVersion: %s
kind: %s
metadata:
  name: %s
  namespace: %s
  labels:
    app.kubernetes.io/name: %s
    app.kubernetes.io/managed-by: gitops
`, apiVersion, kind, name, namespace(name), name)
}

// namespace is the application's name without its number.
func namespace(name string) string { return name[:strings.LastIndexByte(name, '-')] }

// setting is a name and a value, as of an environment variable.
func (w *writer) setting(i int) (string, string) {
	name := fmt.Sprintf("%s_%s_%d", w.pick(words), w.pick(words), i)
	return name, fmt.Sprintf("%s-%d", w.pick(words), w.random.IntN(10_000))
}

func (w *writer) deployment(name string, size int) string {
	account := ""
	if w.random.IntN(5) < 2 {
		account = "      serviceAccountName: " + name + "\n"
	}
	start := head("apps/v1", "Deployment", name) + fmt.Sprintf(`spec:
  replicas: %d
  selector:
    matchLabels:
      app.kubernetes.io/name: %s
  template:
    metadata:
      labels:
        app.kubernetes.io/name: %s
    spec:
%s      containers:
        - name: main
          image: registry.example.com/%s:1.%d.0
          ports:
            - containerPort: 8080
          env:
`, 1+w.random.IntN(4), name, name, account, name, w.random.IntN(40))
	return document(start, size, func(i int) string {
		key, value := w.setting(i)
		return fmt.Sprintf("            - name: %s\n              value: %q\n", strings.ToUpper(key), value)
	}, "            - name: LAST\n              value: \"true\"\n")
}

func (w *writer) service(name string, size int) string {
	start := head("v1", "Service", name) + fmt.Sprintf("spec:\n  selector:\n    app.kubernetes.io/name: %s\n  ports:\n", name)
	return document(start, size, func(i int) string {
		return fmt.Sprintf("    - name: %s-%d\n      port: %d\n      targetPort: %d\n", w.pick(words), i, 8000+i, 9000+i)
	}, "    - name: http\n      port: 80\n      targetPort: 8080\n")
}

func (w *writer) configMap(name string, size int) string {
	return document(head("v1", "ConfigMap", name)+"data:\n", size, func(i int) string {
		key, value := w.setting(i)
		return fmt.Sprintf("  %s: %s\n", key, value)
	}, "  last: \"true\"\n")
}

func (w *writer) ingress(name string, size int) string {
	start := head("networking.k8s.io/v1", "Ingress", name) + fmt.Sprintf(
		"spec:\n  ingressClassName: public\n  rules:\n    - host: %s.example.com\n      http:\n        paths:\n", name)
	route := func(path string) string {
		return fmt.Sprintf("          - path: /%s\n            pathType: Prefix\n            backend:\n"+
			"              service:\n                name: %s\n                port:\n                  number: 80\n", path, name)
	}
	return document(start, size, func(i int) string { return route(fmt.Sprintf("%s/%d", w.pick(words), i)) }, route(""))
}

func (w *writer) serviceMonitor(name string, size int) string {
	start := head("monitoring.coreos.com/v1", "ServiceMonitor", name) + fmt.Sprintf(
		"spec:\n  selector:\n    matchLabels:\n      app.kubernetes.io/name: %s\n  endpoints:\n", name)
	return document(start, size, func(i int) string {
		return fmt.Sprintf("    - port: %s-%d\n      interval: %ds\n      path: /metrics/%s\n",
			w.pick(words), i, 10+w.random.IntN(50), w.pick(words))
	}, "    - port: http\n")
}

func (w *writer) helmRelease(name string, size int) string {
	start := head("helm.toolkit.fluxcd.io/v2", "HelmRelease", name) + fmt.Sprintf(`spec:
  interval: 10m
  chart:
    spec:
      chart: %s
      version: 1.%d.x
      sourceRef:
        kind: HelmRepository
        name: charts
  values:
    serviceAccount:
      create: true
`, namespace(name), w.random.IntN(30))
	return document(start, size, func(i int) string {
		key, value := w.setting(i)
		return fmt.Sprintf("    %s: %s\n", key, value)
	}, "    enabled: true\n")
}

// role comes with its binding, as another document of the file.
func (w *writer) role(name string, size int) string {
	binding := "---\n" + head("rbac.authorization.k8s.io/v1", "RoleBinding", name) + fmt.Sprintf(`roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: %s
subjects:
  - kind: ServiceAccount
    name: %s
    namespace: %s
`, name, name, namespace(name))
	rule := func(resource string) string {
		return fmt.Sprintf("  - apiGroups: [\"\"]\n    resources: [%s]\n    verbs: [get, list, watch]\n", resource)
	}
	start := head("rbac.authorization.k8s.io/v1", "Role", name) + "rules:\n" + rule("configmaps")
	return document(start, size, func(i int) string { return rule(fmt.Sprintf("%ss", w.pick(words))) }, binding)
}

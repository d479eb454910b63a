// Builtin prints the ClusterRoles, or their bindings, that an API server makes for itself, those of its controllers aside,
// as internal/kube/rbac embeds them:
//
//	go run ./builtin >../../internal/kube/rbac/builtin_roles.json
//	go run ./builtin bindings >../../internal/kube/rbac/builtin_bindings.json
package main

import (
	"fmt"
	"os"

	"github.com/salint/salint/test/conformance/kube"
)

func main() {
	write := kube.BuiltinJSON
	if len(os.Args) > 1 && os.Args[1] == "bindings" {
		write = kube.BuiltinBindingsJSON
	}
	text, err := write()
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

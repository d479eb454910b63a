// Builtin prints the ClusterRoles that an API server makes for itself, those of its controllers aside, as internal/rbac
// embeds them:
//
//	go run ./builtin >../../internal/rbac/builtin_roles.json
package main

import (
	"fmt"
	"os"

	"github.com/salint/salint/test/conformance/kube"
)

func main() {
	text, err := kube.BuiltinJSON()
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

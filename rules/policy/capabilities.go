package policy

import (
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// forbidden are the functions of OPA that access the network, files, the environment, or the host, or that make two runs
// over the same input differ (clock, randomness). A trailing dot matches a whole family.
//
// Others can work for minutes, or fill the memory, in one call, which nothing can stop: their cost grows much faster than their
// arguments. costs.go limits those that policies need.
//
// The JSON schema functions follow `$ref: file://…`, and the token and certificate functions compare with the clock.
var forbidden = []string{
	"http.", "net.lookup_ip_addr", "opa.runtime", "providers.",
	"json.match_schema", "json.verify_schema",
	"time.now_ns", "rand.", "uuid.rfc4122",
	"io.jwt.decode_verify", "io.jwt.encode_sign", "io.jwt.encode_sign_raw",
	"crypto.x509.parse_and_verify_certificates", "crypto.x509.parse_and_verify_certificates_with_options",
	"graph.reachable_paths", "graphql.", "regex.globs_match", "json.marshal_with_options", "strings.render_template",
}

// Capabilities returns the functions that policies can call: OPA's own without the forbidden ones, and the given ones.
func Capabilities(builtins []*Builtin) *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	c.Builtins = slices.DeleteFunc(c.Builtins, func(b *ast.Builtin) bool { return isForbidden(b.Name) })
	for _, b := range builtins {
		c.Builtins = append(c.Builtins, b.declaration())
	}
	// An empty list allows no host; a missing one would allow any.
	c.AllowNet = []string{}
	return c
}

func isForbidden(name string) bool {
	return slices.ContainsFunc(forbidden, func(f string) bool {
		return name == f || strings.HasSuffix(f, ".") && strings.HasPrefix(name, f)
	})
}

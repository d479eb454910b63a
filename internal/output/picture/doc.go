// Package picture draws who is granted what: extensions, the identities that OLM uses, bindings, and roles, as mermaid,
// graphviz, JSON, or a drawing for an HTML page.
package picture

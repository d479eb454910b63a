// Package catalogs resolves which bundle of file-based catalogs OLM installs for an extension, as operator-controller does.
package catalogs

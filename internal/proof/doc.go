// Package proof groups the packages that verify an edit before it is written: it must do exactly what its fix declares.
package proof

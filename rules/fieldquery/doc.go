// Package fieldquery reads the queries of policies, and finds the objects that they select by indexes of fields.
package fieldquery

// Package vet finds mistakes in compiled policies with which a rule finds nothing, or not what it should, and which the compiler accepts:
// references into data that nothing defines, fields that no object has, calls that fail whatever the input is, and unknown fixers.
package vet

// Package controller finds what the own account of operator-controller lacks for installing the extensions of a target.
package controller

// Package starter writes manifests to start from, with safe values and the words that explain them.
package starter

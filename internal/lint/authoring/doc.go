// Package authoring runs rules as their authors need it: on the examples that are repositories, and one rule on one file.
package authoring

// Package help lays out the help of commands: flags in groups, no line wider than a page.
package help

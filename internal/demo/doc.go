// Package demo holds a small example repository, for salint to show on what it does.
package demo

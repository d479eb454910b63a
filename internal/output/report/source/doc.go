// Package source shows the lines of files that findings are about: by line and column, without data of Secrets.
package source

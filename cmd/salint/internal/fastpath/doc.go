// Package fastpath answers command lines whose output is known when the program is built, such as salint --help, before the
// libraries are initialized, which takes most of the time of a short command.
package fastpath

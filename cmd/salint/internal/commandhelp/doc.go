// Package commandhelp makes the help of commands from what they declare.
package commandhelp

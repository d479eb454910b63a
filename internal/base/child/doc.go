// Package child runs this program as a child process with limits, for work on hostile input: the kernel limits its memory, and
// refuses files, connections, and programs. Both sides exchange JSON messages over standard input and output.
package child

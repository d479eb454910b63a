// Package compare holds a test that compares two builds of salint over all golden cases: what programs read of their output,
// their exit codes and the files they leave must be the same, whatever happens to the words. record.sh records the whole
// output about repositories, so that it can be compared byte for byte.
package compare

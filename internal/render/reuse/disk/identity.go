package disk

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

// Identity identifies the program with its libraries: the checksum of its file. A version would not do, because programs of one
// version can be built from changed sources.
func Identity() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

package metadata

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"testing/fstest"
)

// MaxBundle limits the size of a bundle, compressed and unpacked.
const MaxBundle = 32 << 20

// maxBundleFiles limits the number of files in a bundle.
const maxBundleFiles = 10_000

// digestMark separates the path of a bundle from its digest, as in references of images.
const digestMark = "@sha256:"

// WithDigest returns the name of a bundle with its digest.
func WithDigest(file, digest string) string { return file + digestMark + digest }

// SplitDigest returns the path and the digest of policies; the digest is "" if the name has none.
func SplitDigest(name string) (file, digest string) {
	file, digest, _ = strings.Cut(name, digestMark)
	return file, digest
}

// IsBundle reports whether a name of policies is that of a bundle, and not of a folder.
func IsBundle(name string) bool {
	file, digest := SplitDigest(name)
	return strings.HasSuffix(file, ".tar.gz") || strings.HasSuffix(file, ".tgz") || digest != ""
}

// CheckDigest returns an error if a digest is not a SHA-256 hash in hexadecimal form.
func CheckDigest(digest string) error {
	if raw, err := hex.DecodeString(digest); err != nil || len(raw) != sha256.Size {
		return errors.New("the digest must be a SHA-256 hash of 64 hexadecimal digits, as sha256sum prints it")
	}
	return nil
}

// UnpackBundle returns the files of a bundle that opa build has made. The name can have a digest, which is compared. Nothing is written.
func UnpackBundle(name string, data []byte) (fs.FS, error) {
	_, digest := SplitDigest(name)
	if strings.Contains(name, digestMark) { // an empty digest is a variable that is not set
		if err := CheckDigest(digest); err != nil {
			return nil, err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != strings.ToLower(digest) {
			return nil, fmt.Errorf("the SHA-256 hash is %x, and not %s: the bundle was changed, or the digest is that of another one", sum, digest)
		}
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("it is not a bundle: opa build makes one, as a gzipped tar archive")
	}
	// The standard library's only file system in memory is among its testing tools.
	files := fstest.MapFS{}
	archive := tar.NewReader(io.LimitReader(unzipped, MaxBundle+1))
	size := int64(0)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the archive cannot be read: %w", err)
		}
		if size += header.Size; size > MaxBundle || len(files) >= maxBundleFiles {
			return nil, fmt.Errorf("it has more than %d MiB or %d files", MaxBundle>>20, maxBundleFiles)
		}
		if err := addMember(files, header, archive); err != nil {
			return nil, err
		}
	}
}

// addMember adds a file of an archive. Folders are not needed, and links have no place in a bundle.
func addMember(files fstest.MapFS, header *tar.Header, content io.Reader) error {
	switch header.Typeflag {
	case tar.TypeReg:
	case tar.TypeDir, tar.TypeXGlobalHeader:
		return nil
	default:
		return fmt.Errorf("%q in it is not a regular file", header.Name)
	}
	name := path.Clean(strings.TrimLeft(header.Name, "/"))
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("%q in it is not the path of a file", header.Name)
	}
	if files[name] != nil {
		return fmt.Errorf("%q is in it twice", header.Name)
	}
	data, err := io.ReadAll(content)
	if err != nil {
		return fmt.Errorf("the archive cannot be read: %w", err)
	}
	files[name] = &fstest.MapFile{Data: data, Mode: 0o444}
	return nil
}

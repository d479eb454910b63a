package bundle

import (
	"crypto/sha256"
	"encoding/json"
	"math/big"
	"strings"
)

// maxName is the approximate limit of a generated name.
const maxName = 63

// nameOf joins a base and a suffix, and cuts the base if together they are longer than a name can be. The dash is not
// counted in that decision: 63 bytes without it result in a name of 64.
//
// Source: operator-controller v1.9.0 to v1.11.0, rukpak/util (ObjectNameForBaseAndSuffix).
func nameOf(base, suffix string) string {
	if len(base)+len(suffix) > maxName {
		base = base[:maxName-len(suffix)-1]
	}
	return base + "-" + suffix
}

// hashOf is the hash in generated names: SHA-224 over the JSON of a value and a newline, in base 36.
//
// Source: operator-controller v1.9.0 to v1.11.0, shared/util/hash (DeepHashObject).
func hashOf(value any) (string, error) {
	hash := sha256.New224()
	if err := json.NewEncoder(hash).Encode(value); err != nil {
		return "", err
	}
	return new(big.Int).SetBytes(hash.Sum(nil)).Text(36), nil
}

// serviceName, certificateName, and issuerName are the names of the objects that the webhooks of a deployment need.
//
// Source: operator-controller v1.9.0 to v1.11.0, rukpak/render (CertProvisionerFor) and its certificate providers.
func serviceName(deployment string) string {
	return nameOf(strings.ReplaceAll(deployment, ".", "-"), "service")
}

func certificateName(deployment string) string { return nameOf(serviceName(deployment), "cert") }

func issuerName(deployment string) string {
	return nameOf(certificateName(deployment), "selfsigned-issuer")
}

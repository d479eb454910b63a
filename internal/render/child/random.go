package child

import (
	"crypto/rand"
	mathrand "math/rand/v2"

	"github.com/google/uuid"
)

// resetRandom makes what templates draw by chance (passwords, identifiers) the same in every rendering: two renderings are
// compared, and one input shall give one output. Nothing that is rendered here is ever used.
func resetRandom() {
	rand.Reader = mathrand.NewChaCha8([32]byte{})
	uuid.SetRand(rand.Reader)
}

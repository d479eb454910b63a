package process

import (
	"crypto/rand"
	mathrand "math/rand/v2"

	"github.com/google/uuid"
)

// resetRandom makes the random values of templates (passwords, identifiers) the same in every rendering, because renderings
// are compared. None of the values is ever used.
func resetRandom() {
	rand.Reader = mathrand.NewChaCha8([32]byte{})
	uuid.SetRand(rand.Reader)
}

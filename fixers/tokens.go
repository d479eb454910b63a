package fixers

// Tokens say how the user wants tokens to be projected into pods.
type Tokens struct {
	// Audience is who is to take them; "" is the API server. It counts only when AudienceGiven tells that the user said so.
	Audience          string
	AudienceGiven     bool
	ExpirationSeconds int64
}

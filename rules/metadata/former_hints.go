package metadata

// formerHints are hints of the METADATA under their former names. Rules of users can still have them.
type formerHints struct {
	Context   []string            `json:"context"`   // now reads
	Whole     []string            `json:"whole"`     // now reads_all
	Seeds     map[string][]string `json:"seeds"`     // now connected_to
	When      []string            `json:"when"`      // now skip_unless
	Elsewhere bool                `json:"elsewhere"` // follows from the policy
}

var formerKeys = []string{"context", "whole", "seeds", "when", "elsewhere"}

// formerConditions are the present names of conditions by those that they had under `when`.
var formerConditions = map[string]string{
	"account-missing": "pod-account-missing", "account-unseen": "subject-account-missing", "role-unknown": "role-missing",
	"subject-odd": "binding-invalid",
}

// useFormerHints adds the hints under former names to those under the present ones.
func (c *custom) useFormerHints() {
	// Kinds in connected_to are read; those in seeds were not.
	for kind := range c.ConnectedTo {
		c.Reads = append(c.Reads, kind)
	}
	c.Reads = append(c.Reads, c.Context...)
	c.ReadsAll = append(c.ReadsAll, c.Whole...)
	if len(c.ConnectedTo) == 0 {
		c.ConnectedTo = c.Seeds
	}
	for _, name := range c.When {
		if present, former := formerConditions[name]; former {
			name = present
		}
		c.SkipUnless = append(c.SkipUnless, name)
	}
}

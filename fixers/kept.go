package fixers

// kept says why a plan cannot be carried out: it changes a file that is to stay as it is; "" for none.
func (c *Context) kept(p *Plan) string {
	if c.Keep == nil {
		return ""
	}
	for _, change := range p.Changes {
		if why := c.Keep(change.File); why != "" {
			return why
		}
	}
	for _, text := range p.Texts {
		if why := c.Keep(text.File); why != "" {
			return why
		}
	}
	for _, document := range p.Documents {
		if why := c.Keep(document.File); why != "" {
			return why
		}
	}
	return ""
}

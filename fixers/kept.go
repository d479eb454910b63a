package fixers

// writeProtected says why a plan cannot be carried out: it changes a file that is to stay as it is; "" for none.
func (c *Context) writeProtected(p *Plan) string {
	if c.WriteProtected == nil {
		return ""
	}
	for _, change := range p.Changes {
		if why := c.WriteProtected(change.File); why != "" {
			return why
		}
	}
	for _, text := range p.Texts {
		if why := c.WriteProtected(text.File); why != "" {
			return why
		}
	}
	for _, document := range p.Documents {
		if why := c.WriteProtected(document.File); why != "" {
			return why
		}
	}
	return ""
}

package fixers

// pruneInstaller removes the account of an installer that nobody uses any more, with its bindings, its token Secrets and
// the roles that only these bindings referred to. The request points at the account, one of its bindings or a role.
func pruneInstaller(c *Context, r Request) (*Plan, error) {
	p := newPruner(c)
	if err := p.addRequest(r); err != nil {
		return nil, err
	}
	outcomes, err := p.run()
	if err != nil {
		return nil, err
	}
	merged := &Plan{}
	for _, o := range outcomes {
		if o.Refusal != nil {
			return nil, o.Refusal
		}
		merged.Changes = append(merged.Changes, o.Plan.Changes...)
		merged.Applied = append(merged.Applied, o.Plan.Applied...)
		merged.Losses = append(merged.Losses, o.Plan.Losses...)
		merged.Notes = append(merged.Notes, o.Plan.Notes...)
		if merged.Description == "" {
			merged.Description = o.Plan.Description
		}
	}
	return merged, nil
}

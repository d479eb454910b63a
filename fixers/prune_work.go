package fixers

import "errors"

// prune decides about everything that is to be pruned, and hands the outcomes to the requests that asked for them.
func decidePrunes(w *Work, p *pruner, requests []Request, asked []int) error {
	for _, i := range asked {
		w.Outcomes[i].Object = requests[i].Object
		if err := p.addRequest(requests[i]); err != nil {
			w.Outcomes[i].Refusal = asRefusal(err)
		}
	}
	outcomes, err := p.run()
	if err != nil {
		var refusal *Refusal
		if !errors.As(err, &refusal) {
			return err
		}
		outcomes = []Outcome{{Refusal: refusal}}
	}
	w.Prunes = outcomes
	for _, i := range asked {
		if w.Outcomes[i].Refusal == nil {
			w.Outcomes[i] = p.outcomeFor(requests[i], outcomes)
		}
	}
	return nil
}

package fields

import (
	"encoding/json"

	"github.com/salint/salint/fixers/engine"
)

// SetField sets a field of the object. The fix is unsafe, because it can change what the cluster does.
func SetField(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	path := pathOf(r)
	value := r.Args["value"]
	if _, isText := value.(string); path[0] == "metadata" && !isText {
		return nil, engine.Refuse("the value of %s must be a string", path)
	}
	p, err := set(c, r, path, value)
	if err != nil {
		return nil, err
	}
	written, _ := json.Marshal(value) // it was read from JSON
	p.Description = "Set " + path.String() + " to " + string(written)
	return p, nil
}

// RemoveField removes a field of the object. The fix is unsafe, because it can change what the cluster does.
func RemoveField(c *engine.Context, r engine.Request) (*engine.Plan, error) {
	path := pathOf(r)
	p, err := remove(c, r, path)
	if err != nil {
		return nil, err
	}
	p.Description = "Remove " + path.String()
	return p, nil
}

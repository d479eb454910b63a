package render

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// decodeObject decodes a JSON object as [rendered.Object] requires it: integers as int64, other numbers as float64.
func decodeObject(data []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, err
	}
	numbers(object)
	return object, nil
}

// numbers replaces the numbers in a tree, in place.
func numbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, below := range value {
			value[key] = numbers(below)
		}
	case []any:
		for i, below := range value {
			value[i] = numbers(below)
		}
	case json.Number:
		if whole, err := strconv.ParseInt(value.String(), 10, 64); err == nil {
			return whole
		}
		number, _ := value.Float64()
		return number
	}
	return value
}

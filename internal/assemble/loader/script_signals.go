package loader

import (
	"bytes"
	"fmt"
	"iter"
	"path"

	"github.com/salint/salint/internal/kube/objects"
	"github.com/salint/salint/internal/kube/olm"
)

// ScriptSignals returns the signals of scripts that install operator-controller by the address of a release, by the folder of the script.
func ScriptSignals(scripts iter.Seq2[string, []byte]) map[string][]olm.Signal {
	byFolder := map[string][]olm.Signal{}
	for file, text := range scripts {
		at := bytes.Index(text, []byte("operator-framework/operator-controller"))
		if at < 0 {
			continue
		}
		if signal, ok := olm.ReadAddress(string(text)); ok {
			signal.Place = fmt.Sprintf("%s:%d", file, 1+bytes.Count(text[:at], []byte("\n")))
			byFolder[path.Dir(file)] = append(byFolder[path.Dir(file)], signal)
		}
	}
	return byFolder
}

// scripted returns the signals of the scripts that are nearest to a unit: in its folder, or in one around it. What is at the top of the
// repository can be for any cluster, or for a test, so it counts only for what is there, too.
func (t *Targets) scripted(unit *objects.Unit, object *objects.Object) []olm.Signal {
	if t.scripts == nil {
		return nil
	}
	byFolder := t.scripts()
	if len(byFolder) == 0 {
		return nil
	}
	start := path.Dir(scopeFile(unit, object))
	for folder := start; folder == start || folder != "."; folder = path.Dir(folder) {
		if signals := byFolder[folder]; len(signals) > 0 {
			return signals
		}
		if folder == "." {
			break
		}
	}
	return nil
}

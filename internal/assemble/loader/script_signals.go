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
		if signal, ok := scriptSignal(file, text); ok {
			byFolder[path.Dir(file)] = append(byFolder[path.Dir(file)], signal)
		}
	}
	return byFolder
}

// scriptSignal returns the signal of a script. Comments install nothing.
func scriptSignal(file string, text []byte) (signal olm.Signal, ok bool) {
	var named bytes.Buffer
	first, number := 0, 0
	for line := range bytes.Lines(text) {
		number++
		if !bytes.Contains(line, []byte("operator-framework/operator-controller")) || bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) {
			continue
		}
		if first == 0 {
			first = number
		}
		named.Write(line)
	}
	signal, ok = olm.ReadAddress(named.String())
	signal.Place = fmt.Sprintf("%s:%d", file, first)
	return signal, ok
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

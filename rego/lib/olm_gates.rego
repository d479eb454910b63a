# What operator-controller of the target does, by its release and its feature gates.
package salint.lib.olm

# runtime is what the target does with the identity of an extension. It is undefined where that is not known.
runtime := salint.runtime(input.target.name, gates)

# gates are the feature gates that the signs of the unit tell of. Of signs that contradict each other, the one that turns
# a gate on is believed.
gates[name] := true in states if {
	some sign in salint.signs()
	some name, _ in sign.gates
	states := {other.gates[name] | some other in salint.signs()}
}

# gate is what the signs of the unit say about synthetic identities: on, off, or unsaid. Where they contradict each
# other it is unsaid; target-conflict is about that.
default gate := "unsaid"

gate := "on" if gate_states == {true}

gate := "off" if gate_states == {false}

gate_states contains gate_of(sign) if some sign in gate_signs

# gate_signs are the signs that turn synthetic identities on or off.
gate_signs := [sign | some sign in salint.signs(); is_boolean(gate_of(sign))]

# AllAlpha stands for the gates that nobody has spoken of by name.
gate_of(sign) := object.get(sign.gates, synthetic_gate, object.get(sign.gates, "AllAlpha", null))

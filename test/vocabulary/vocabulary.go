package main

// entry is what is not written, and what is written instead.
type entry struct {
	// phrases are tried from the first to the last. Words are separated by spaces, alternatives by "|"; "*" is any word, a
	// comma is itself, "." is the end of a sentence or clause, and "#" is any other limit of a text.
	phrases []string
	write   string
	// kinds limits the entry; empty means all.
	kinds []kind
	// files limits the entry to files that begin with one of these paths; empty means all.
	files []string
}

func never(write string, phrases ...string) entry {
	return entry{phrases: phrases, write: write}
}

// inText is for words that comments on code need.
func inText(write string, phrases ...string) entry {
	return entry{phrases: phrases, write: write, kinds: []kind{message, page}}
}

const (
	nouns = "the|a|an|this|that|these|those|what|who|each|every|all|most|some|one|its|their|other|another|`|kubernetes|helm|kustomize"
	verbs = "is|are|was|were|has|have|can|may|would|does|do|did|could|will|must|cannot|takes|makes|gives|holds|needs|knows|stands|comes|goes|means|belongs|says"
)

// vocabulary is what is searched for.
var vocabulary = []entry{
	never("fix", "mend", "mends"),
	never("fixed", "mended"),
	never("fixing", "mending"),
	never("fix", "heal", "heals", "healed", "cure", "cures", "cured"),

	// People.
	never("anyone who", "whoever", "whomever"),
	never("a user, anyone, or the component that does it", "somebody", "somebody's"),
	never("no one, no user, or the passive voice", "nobody", "nobody's"),
	never("they, or the user", "he", "him", "his", "himself"),
	never("they, or the user", "she", "her", "hers", "herself"),
	never("as which identity", "as|for|by|with|of|to whom", "whom"),

	// Permission.
	never("who can", "who may", "that|who may do"),
	inText("what … can do", "what|all it|they|he|the may", "what|all|everything the * may", "may do"),
	inText("can", "who|whoever|identity|account|accounts|user|users|subject|subjects|group|tenant|role|project|anyone|everyone|everybody may create|read|write|update|delete|become|bind|escalate|impersonate|list|patch|use|change"),
	inText("must not, cannot, or might not", "they|users|accounts|subjects may not"),

	// Things do not speak, know or want.
	never("unknown, not detected", "nothing tells|says|knows", "nothing * tells|says", "nobody|nothing knows"),
	never("reports whether", "tells whether|if"),
	never("reports, sets, or identifies", "tells that|which|what|who|how|where|why|when|apart|it|so|the|a|of"),
	never("unless set, or unless configured", "unless|if you say", "unless it says", "you say otherwise"),
	inText("sets, reports, contains, or states", "says that|whether|which|who|so|what|how|why|nothing|it|where|no|another|otherwise|as|for|in|how"),
	inText("is declared, is set, or is reported", "is said", "are said", "be said", "was said"),
	inText("describes, names, or covers", "speak", "speaks", "spoke", "spoken"),
	inText("requires, needs, or expects", "wants"),
	inText("requires or requests", "ask|asks|asked|asking for"),
	inText("requires or requests", "asks of", "is|are asked of"),
	never("the target requires", "asked|asks for by|with"),
	inText("depends on, or is identified by", "knows of|about|nothing"),

	// Signals.
	never("signal", "a|no|any|the|that|each|every|one|heaviest|lighter sign", "sign of|is|says|tells|that|which"),
	never("signals", "signs of|in|that|which|are|for|with", "two|the|no|all|any|more|of|by|for signs", "without signs", "lighter|heavier|heaviest|strong|weak signs"),

	// Relations.
	never("uses, or is decided by", "go|goes|went|going|gone by"),
	never("takes precedence over", "go|goes|going before", "go|goes|going above"),
	never("differently from", "otherwise than"),
	never("differently", "is|are|be|behaves|written|decided|does|done otherwise"),
	never("in addition, or apart from", "besides"),
	never("anyway", "nevertheless", "nonetheless"),
	never("regardless, or anyway", "all the same"),
	never("partway", "half way", "halfway", "half-way"),
	never("separate", "of its own", "of their own", "a * of his own"),
	inText("your own", "of your|our|ours|yours own", "of yours|ours"),
	never("otherwise", ", else", ". else", "or else", "and else"),
	never("instead of", "in the place of", "in place of"),
	inText("references, or names", "mention", "mentions", "mentioned", "mentioning"),

	// Because. A preposition has no verb behind its noun.
	never("because", ", for it|there|they|nothing|nobody|no|you|we|only|then|neither|both|such|without|not|salint *"),
	never("because", ", for "+nouns+" "+verbs, ", for "+nouns+" * "+verbs, ", for "+nouns+" * * "+verbs),
	never("because", ".|# for it|there|they|nothing|nobody|what|such "+verbs),

	// Set terms.
	never("usage error", "wrong usage"),
	inText("internal error", "a|no|any|the fault", "or a fault", "fault or", "faults"),
	never("over-privileged", "too powerful", "all too powerful"),
	never("effectively cluster-admin", "in effect cluster-admin", "cluster-admin in effect", "in effect a|the|its"),
	never("effectively", "in effect is|are|an"),
	inText("deployment unit", "what|all|everything is applied together", "is applied together"),
	inText("a message, a string, or a value", "a text"),
	inText("messages, strings, or values", "texts"),
	inText("header", "no|a head"),
	inText("an option, or explicitly", "a word from you", "without a word", "at their word", "a further word", "with a word"),
	inText("usually, or by default", "by itself does"),
	inText("from that date, or from then", "from which on", "from then on", "from there on"),
	never("manage with", "makes do with"),
	inText("are not", "are no *"),
	inText("is not a", "is no *"),
	never("core feature", "its heart", "the heart of"),
	never("forgotten", "looks at any more", "looks at anymore"),
	never("no longer", "any more"),
	never("in the wrong, or invalid", "at fault"),

	// Inverted openings.
	inText("active voice: This rule checks …, Reports …",
		".|# judged|reported|compared|counted|checked|meant|listed|refused|allowed|excepted|exempt|named|seen|asked|read|taken|known|missing|shown is|are"),

	// American spelling.
	never("behavior", "behaviour"),
	never("behaviors", "behaviours"),
	never("color", "colour"),
	never("colors, colored", "colours", "coloured", "colouring"),
	never("honor", "honour", "honours"),
	never("honored", "honoured"),
	never("honoring", "honouring"),
	never("favor", "favour", "favours", "favourite"),
	never("neighbor", "neighbour", "neighbours", "neighbouring"),
	never("center", "centre", "centres"),
	never("license", "licence", "licences"),
	never("gray", "grey"),
	never("catalog", "catalogue", "catalogues"),
	never("artifact", "artefact", "artefacts"),
	never("while, among", "whilst", "amongst"),
	never("judgment", "judgement"),
	never("fulfill", "fulfil", "fulfils"),
	never("canceled", "cancelled", "cancelling"),
	never("labeled", "labelled", "labelling"),
	never("modeled", "modelled", "modelling"),
	never("signaled", "signalled", "signalling"),
	never("serialize", "serialise", "serialises", "serialised", "re-serialises", "serialisation"),
	never("normalize", "normalise", "normalises", "normalised", "normalisation"),
	never("initialize", "initialise", "initialises", "initialised", "initialisation"),
	never("recognize", "recognise", "recognises", "recognised"),
	never("organize", "organise", "organised", "organisation"),
	never("summarize", "summarise", "summarises", "summarised"),
	never("authorize", "authorise", "authorises", "authorised", "authorisation"),
	never("customize", "customise", "customised", "customisation"),
	never("optimize", "optimise", "optimised", "optimisation"),
	never("minimize", "minimise", "minimised", "maximise"),
	never("analyze", "analyse", "analyses", "analysed"),
	never("parameterize", "parameterise", "parametrise", "parametrised"),
	never("sanitize", "sanitise", "sanitised", "sanitises"),
	never("canonicalize", "canonicalise", "canonicalised"),
	never("synchronize", "synchronise", "synchronised", "synchronisation"),
	never("capitalize", "capitalise", "capitalised"),
}

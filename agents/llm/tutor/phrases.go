package tutor

import "strings"

// The fixed phrases: all that the tutor says besides quotes and names. Where
// several stand, they say the same and are taken in turn. Three are for the
// teacher, the assistant and the student.
var phrases = struct {
	say, reason, steps, closest                                 []string
	noReason, noFigure, noDate, noName, noExample, noDefinition []string
	more, further                                               []string
	hint, hintAsk, compare                                      []string
	withheld, leftOut, spent                                    []string
	terms, termsNear                                            []string
	noSearch, failed, stillReading, spentShort, whatAmI         [3]string
	greeting, thanks, short, unclear, noQuestion                [3]string
	withheldShort, guarded                                      [3]string
	missShort                                                   []string // the assistant's, and those of students
	inFull                                                      string
	sayOn, sayEnd, noSimpler, wordMeans                         string   // of a lecture, between its parts
	simpler, anExample, exampleAgain                            []string // see [remark.grants]
	number                                                      [3]string
	onTopic, besideTopic, stillNothing                          []string // of a discussion
	lastPassage, lastSentence, noTerms                          []string
	noSide, stillNoSide                                         []string // of a debate
	noneFor, noneAgainst                                        []string
	withheldSide, nothingFound, addBoth                         string
}{
	say:          []string{"Here is what our materials say:", "Our materials put it like this:", "This is how we find it in our materials:"},
	reason:       []string{"Our materials give this reason:", "Our materials give the reason:"},
	steps:        []string{"Our materials take it step by step:", "Step by step, as our materials have it:"},
	closest:      []string{"Our materials do not answer this directly. This comes closest:", "I found no direct answer in our materials. This comes closest:"},
	noReason:     []string{"I found no sentence that gives the reason. This comes closest:"},
	noFigure:     []string{"I found no figure for this in our materials. This comes closest:"},
	noDate:       []string{"I found no date for this in our materials. This comes closest:"},
	noExample:    []string{"I found no example of this in our materials."},
	noDefinition: []string{"I found no definition of this in our materials. This comes closest:"},
	noName:       []string{"I found no name for this in our materials. This comes closest:"},

	more:    []string{"A second passage goes with it:", "Another passage on the same subject:"},
	further: []string{"To go on from there:", "There is also this:"},

	hint:    []string{"One sentence of our materials answers this. It begins:", "Look for this sentence in our materials first. It begins:"},
	hintAsk: []string{"How does it go on? Write what you think, or ask for the whole sentence."},
	compare: []string{"Compare what you wrote with the text:", "Put your answer beside the text:"},

	withheld: []string{"Our materials have something on this, but it is for you to find out here, so I do not give it away. Ask me about something beside it, and I will look that up."},
	leftOut:  []string{"I have left out a passage that would give away what you are to find out yourselves."},
	spent:    []string{"I have nothing to add: what our materials hold on this has been said."},

	terms:     []string{"Key terms for this:", "Words to remember:"},
	termsNear: []string{"These terms stand near the question:"},

	noSearch: [3]string{
		"The class’s materials cannot be searched here, and I answer only from them. Let the agents of this class use the search, or connect an AI model in the settings.",
		"I cannot search the materials here, so I have no terms to offer.",
		"I cannot look into our materials here, so I will keep my question for later.",
	},
	stillReading: [3]string{
		"Our materials are still being prepared for the search, so I found nothing yet. " +
			"Please ask again in a few minutes.",
		"I cannot look through all our materials yet, so I have no terms for now.",
		"Our materials are not all ready for the search yet, so I will ask later.",
	},
	failed: [3]string{
		"I could not search our materials just now. Please ask again in a moment.",
		"My search did not work either, so I have nothing to add.",
		"I could not look anything up just now, so I have no question yet.",
	},
	missShort:    []string{"I have no terms for this either.", "Then I will look elsewhere.", "So I know where not to look.", "A pity, I would have liked to know.", "Then we have to find a text about it first."},
	onTopic:      []string{"Our materials say more on this:", "There is this to add from our materials:", "Our materials go on:"},
	besideTopic:  []string{"A little further on, our materials say:", "Beside our question, our materials also say:"},
	stillNothing: []string{"As long as our materials hold nothing on this, I leave it there.", "I have nothing on it either.", "No passage from me.", "Nor from me.", "I looked again and found nothing.", "Then let us bring a text about it next time."},
	lastPassage:  []string{"Our materials hold no further passage on this that we have not read. Use what has been read: which two passages belong together?", "All that our materials hold on this has been read."},
	lastSentence: []string{"I found nothing in our materials that has not been read out.", "Everything that I found has been said.", "I have nothing new from our materials.", "Nothing further from me."},
	noTerms:      []string{"I have no further terms.", "No new terms from me."},
	noSide:       []string{"I have found nothing on this in our materials, so I have no argument. What would we have to read to decide it?", "I have found nothing either. I will not argue without a text.", "I still have nothing to argue with."},
	stillNoSide:  []string{"%s has no text to argue from, and neither have I.", "I could only answer %s with a guess, so I leave it at that.", "%s and I agree on one thing: without a text nobody can win this.", "Like %s I wait for a text about it."},
	addBoth:      "Add a text that speaks for it and one that speaks against it to the class’s materials, and we can debate it.",
	nothingFound: "I have found nothing",
	noneFor:      []string{" in our materials that speaks for the motion. What would have to be in them to settle it?"},
	noneAgainst:  []string{" in our materials that speaks against the motion. But is a thing true because nothing here speaks against it?"},
	withheldSide: "What I could argue with is for you to find out here, so I do not read it out.",
	sayOn:        "Say just “go on”, and I read the next part.",
	sayEnd:       "Say just “end”, and I sum up what we have read.",
	noSimpler:    "I found no plainer sentences on this than those we have read. Ask me about the word that is hard, and I look it up.",
	wordMeans:    "A word that it uses means this:",
	simpler:      []string{"The plainest sentences on this are these:", "Said with the shortest sentences that our materials have on this:"},
	anExample:    []string{"There is this example in our materials:", "Our materials have this example:"},
	exampleAgain: []string{"The example that we have read is this:"},
	number:       [3]string{"That number alone tells me nothing: ask me in a few words.", "I need a word to look for.", "What is that number about?"},
	inFull:       "The whole text is worth reading: ",
	spentShort:   [3]string{"", "I have no further terms.", "Thank you, that is clear now."},
	guarded: [3]string{
		"That is for you to find out here, so I say nothing about it. Ask me about something beside it, and I will look that up.",
		"I list no terms here: they are for you to find out.",
		"I will try to find that out myself first.",
	},
	withheldShort: [3]string{"", "The key terms here are for you to find out, so I do not list them.", "I will try to find that out myself first."},
	whatAmI: [3]string{
		"I am the built-in tutor of this workbench, not an AI and not a person. I search this class’s materials and quote the passages that fit, always with their source. What the materials do not hold, I cannot answer.",
		"I am played by the built-in tutor too: no AI, only words found in our materials.",
		"I am played by the built-in tutor too: no AI. I ask about what I read in our materials.",
	},
	greeting:   [3]string{"Hello! I answer questions from our class’s materials.", "Hello! I collect the key terms.", "Hello! I ask about what I do not understand."},
	thanks:     [3]string{"You are welcome. Ask whenever you want to know more.", "Gladly.", "Thank you from me too."},
	unclear:    [3]string{"Tell me in a word or two what your question is about, and I will look in our materials.", "I need a word to look for.", "I am not sure what to look for."},
	short:      [3]string{"All right. Ask me a question, and I will look in our materials.", "All right.", "All right."},
	noQuestion: [3]string{"There is no question yet. Ask one, and I will look in our materials.", "There is no question yet.", "There is no question yet."},
}

// enumerate joins names as a sentence does: "*A*, *B* and *C*".
func enumerate(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// inQuotes puts each word in quotation marks.
func inQuotes(list []string) string {
	var out []string
	for _, w := range list {
		out = append(out, "“"+label(w)+"”")
	}
	return enumerate(out)
}

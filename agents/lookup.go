package agents

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"colloquy/agents/llm"
	"colloquy/classroom"
	"colloquy/classroom/text"
)

// A lookup is what was found in the materials for one question of an exchange. The agents
// of a run share it.
type lookup struct {
	query     classroom.MaterialQuery
	found     classroom.Found
	terms     []llm.Definition
	defined   []classroom.Passage // where terms are explained
	materials []string
	preparing bool
	progress  classroom.Progress // of the index, where preparing
}

const (
	answerPassages = 3  // that a question is answered from
	modePassages   = 12 // that a discussion or a debate reads
	partPassages   = 400
	maxTerms       = 4
)

// lookUp looks the present question of the exchange up, once.
func (r *run) lookUp(ctx context.Context) lookup {
	q := r.presentQuestion()
	if r.looked == nil || r.looked.query != q {
		l := r.s.rt.search(ctx, r.speakers.class.ID, q)
		l.found.Passages, l.found.Near = r.withheld.RedactAll(l.found.Passages), r.withheld.RedactAll(l.found.Near)
		l.terms = slices.DeleteFunc(l.terms, func(d llm.Definition) bool { return r.withheld.Holds(d.Sentence) })
		r.looked = &l
		r.see(l.found.Passages)
		r.see(l.found.Near)
		r.see(l.defined)
	}
	return *r.looked
}

// search looks a question up. A search that fails finds nothing.
func (rt *Runtime) search(ctx context.Context, class string, q classroom.MaterialQuery) lookup {
	l := lookup{query: q}
	lib := rt.o.Library
	if runes := []rune(q.Question); len(runes) > maxQuery {
		q.Question = string(runes[:maxQuery])
	}
	if lib == nil || strings.TrimSpace(q.Question) == "" {
		return l
	}
	l.progress, l.preparing = lib.IndexProgress() // before the search: a rebuild may end during it
	found, err := lib.SearchMaterials(ctx, class, q)
	if err == nil {
		l.found = found
		l.terms, l.defined = definitions(ctx, lib, found.Passages)
		var all []classroom.Material
		all, err = lib.Materials(ctx, class)
		for _, m := range all {
			l.materials = append(l.materials, m.Name)
		}
	}
	if err != nil && ctx.Err() == nil {
		rt.o.Logger.Warn("look up a question", "class", class, "error", err)
	}
	return l
}

// text returns the passages as a model reads them; "" if the class has no materials.
func (l lookup) text() string {
	if len(l.materials) == 0 {
		return ""
	}
	res := SearchResult{Query: l.query.Question, Found: l.found, Topics: l.materials[:min(len(l.materials), maxTopics)]}
	if l.preparing && len(l.found.Passages) == 0 {
		res.Reading = &l.progress
	}
	return truncateResult(res.text(), maxResultText)
}

// llm returns what a scripted model is given.
func (l lookup) llm() *llm.Lookup {
	out := &llm.Lookup{
		Question: l.query.Question, Passages: llmPassages(l.found.Passages), Near: llmPassages(l.found.Near),
		Subject: l.found.Subject, Mentioned: l.found.Mentioned, Unknown: l.found.Unknown, Terms: l.terms,
		Materials: l.materials, Languages: l.found.Languages, Preparing: l.preparing,
	}
	for _, repair := range l.found.Repairs {
		out.Repairs = append(out.Repairs, llm.Repair(repair))
	}
	return out
}

// presentQuestion returns what the agent that has the floor is to answer, or the topic that
// it is to treat.
func (r *run) presentQuestion() classroom.MaterialQuery {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	f, ok := r.floor()
	if !ok {
		return classroom.MaterialQuery{}
	}
	card := f.Card()
	q := classroom.MaterialQuery{Question: card.Question.Text, Limit: answerPassages}
	mode := classroom.ModeOf(f.Mode)
	if h := card.Hint; h != nil && h.Question != card.Question.Cursor && card.Lift == nil {
		q.Question = questionAt(r.s.fold, h.Question)
		return q
	}
	switch {
	case mode.Rounds == 0 || r.staging.StageRole == llm.StageReply:
		if steer := card.LastSteer(); steer != nil {
			q.Question, q.Before = steer.Text, card.Question.Text
			return q
		}
	case mode.Parts:
		q.Question, q.Topic = f.LectureTopic(), true
		return q
	default:
		q.Limit, q.Topic = modePassages, true
		return q
	}
	for i := len(f.Cards) - 2; i >= 0 && q.Before == ""; i-- {
		if mayReachModel(f.Cards[i]) {
			q.Before = f.Cards[i].Question.Text
		}
	}
	return q
}

// llmLookup returns what a scripted model is given for the present turn.
func (r *run) llmLookup(ctx context.Context) *llm.Lookup {
	l := r.lookUp(ctx)
	out := l.llm()
	out.Turn, out.Said = r.turnsBefore(), r.saidNow()
	if classroom.ModeOf(r.staging.Mode).Parts && len(l.found.Passages) > 0 {
		r.addLecture(ctx, out, l.found.Passages[0].MaterialID)
	}
	return out
}

// roundsOfMaterials returns how many rounds of a debate, or sections of a lecture, the
// materials fill where a scripted model speaks; 0 where that limits nothing.
func (r *run) roundsOfMaterials(ctx context.Context) int {
	r.s.mu.Lock()
	mode := classroom.ModeOf(r.s.fold.Mode)
	r.s.mu.Unlock()
	if !mode.Sides && !mode.Parts || !llm.ProfileOf(r.speakers.lead).Scripted {
		return 0
	}
	l := r.lookUp(ctx)
	if mode.Parts && len(l.found.Passages) > 0 {
		return len(r.lectureParts(ctx, l.found.Passages[0].MaterialID)) + 1
	}
	n, _ := llm.RoundsOf(r.speakers.lead, llm.Request{Lookup: l.llm()})
	return n
}

// saidNow returns what the person said last in the exchange.
func (r *run) saidNow() string {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	card := r.s.fold.Card(r.exchange)
	if steer := card.LastSteer(); steer != nil {
		return steer.Text
	}
	return card.Question.Text
}

// turnsBefore returns how many agents spoke in the exchange before the one that has the
// floor.
func (r *run) turnsBefore() int {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	n := 0
	for _, w := range r.s.fold.Card(r.exchange).Windows {
		if !w.Open && len(w.Entries) > 0 {
			n++
		}
	}
	return n
}

// addLecture adds the part of a material that the present section of a lecture reads.
func (r *run) addLecture(ctx context.Context, out *llm.Lookup, material string) {
	parts := r.lectureParts(ctx, material)
	out.Parts = len(parts)
	for _, part := range parts {
		headings := strings.Split(part[0].Section, " › ")
		out.Titles = append(out.Titles, headings[len(headings)-1])
	}
	if n := r.staging.Round; n >= 1 && n <= len(parts) {
		r.see(parts[n-1])
		out.Part = llmPassages(parts[n-1])
	}
}

// partBytes is about how long a part of a lecture is.
const partBytes = 1400

// lectureParts returns the passages that each section of a lecture reads. The section after
// them is a summary. A person who asked for a number of sections gets that many.
func (r *run) lectureParts(ctx context.Context, material string) [][]classroom.Passage {
	all, err := r.s.rt.o.Library.NextPassages(ctx, material, -1, partPassages, false)
	all = r.withheld.RedactAll(slices.DeleteFunc(all, func(p classroom.Passage) bool { return p.Aside }))
	if err != nil || len(all) == 0 {
		return nil
	}
	total := 0
	for _, p := range all {
		total += len(p.Text)
	}
	r.s.mu.Lock()
	asked := r.s.fold.Rounds
	r.s.mu.Unlock()
	if asked > 0 {
		return cutParts(all, max(total/max(asked-1, 1), 1), max(asked-1, 1))
	}
	return cutParts(all, partBytes, classroom.MaxRounds-1)
}

// cutParts cuts passages into at most n parts of about size bytes, where a section begins.
func cutParts(all []classroom.Passage, size, n int) [][]classroom.Passage {
	var parts [][]classroom.Passage
	length := 0
	for i, p := range all {
		section := i == 0 || p.Section != all[i-1].Section
		if len(parts) == 0 || len(parts) < n && section && length+len(p.Text)/2 > size {
			parts, length = append(parts, nil), 0
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], p)
		length += len(p.Text)
	}
	return parts
}

func llmPassages(ps []classroom.Passage) []llm.Passage {
	var out []llm.Passage
	for _, p := range ps {
		out = append(out, llmPassage(p))
	}
	return out
}

func llmPassage(p classroom.Passage) llm.Passage {
	return llm.Passage{Material: p.Material, Heading: p.Section, Text: p.Text, Language: p.Language}
}

var boldTerm = regexp.MustCompile(`\*\*([^*\n]{2,60})\*\*`)

// definitions returns the sentences of the materials of passages that explain a term which
// the passages use and do not explain themselves. A material explains a term where it is
// bold.
func definitions(ctx context.Context, lib Library, passages []classroom.Passage) (
	out []llm.Definition, at []classroom.Passage,
) {
	used := map[string]bool{}
	shown := map[int]bool{}
	if len(passages) == 0 {
		return nil, nil
	}
	material := passages[0].MaterialID
	for _, p := range passages {
		shown[p.From] = shown[p.From] || p.MaterialID == material
		for _, w := range text.Words(boldTerm.ReplaceAllString(p.Text, "")) {
			for _, f := range text.Forms(p.Text[w.From:min(w.To, len(p.Text))], p.Language) {
				used[f] = true
			}
		}
	}
	all, err := lib.NextPassages(ctx, material, -1, partPassages, false)
	if err != nil {
		return nil, nil
	}
	for _, p := range all {
		if shown[p.From] {
			continue
		}
		for _, d := range definedIn(p) {
			if len(out) < maxTerms && usesTerm(used, d.Term, p.Language) {
				out, at = append(out, d), append(at, p)
				delete(used, text.Forms(d.Term, p.Language)[0])
			}
		}
	}
	return out, at
}

// definedIn returns the terms that a paragraph explains.
func definedIn(p classroom.Passage) []llm.Definition {
	var out []llm.Definition
	for _, span := range text.Sentences(p.Text) {
		sentence := p.Text[span.From:span.To]
		if strings.ContainsAny(sentence, "|$`") || strings.HasPrefix(sentence, "- ") {
			continue
		}
		if m := boldTerm.FindStringSubmatch(sentence); m != nil {
			out = append(out, llm.Definition{
				Term: m[1], Sentence: strings.Join(strings.Fields(sentence), " "), Source: llmPassage(p),
			})
		}
	}
	return out
}

// usesTerm reports whether each word of a term is used.
func usesTerm(used map[string]bool, term, language string) bool {
	words := text.Words(term)
	for _, w := range words {
		if !used[text.Forms(term[w.From:w.To], language)[0]] {
			return false
		}
	}
	return len(words) > 0
}

// silentAgents returns the agents that do not answer the question unless it names them: by
// the rules of the class or the choice of who asks, and those of scripted models that have
// nothing to add.
func (r *run) silentAgents(ctx context.Context) []string {
	var out []string
	for _, a := range r.speakers.agents {
		if a.Role != classroom.Teacher && r.isSilent(ctx, a) {
			out = append(out, a.ID)
		}
	}
	if len(out) == len(r.speakers.agents) && len(out) > 0 {
		return out[1:] // somebody answers
	}
	return out
}

func (r *run) isSilent(ctx context.Context, a classroom.Agent) bool {
	scripted := llm.ProfileOf(r.speakers.model(a.ID)).Scripted
	speakers := r.chosenSpeakers()
	if speakers == "" && scripted {
		speakers = classroom.SpeakAssistant
	}
	switch {
	case r.waitsForTry(): // assistants define no terms, and classmates do not answer
		return true
	case speakers == classroom.SpeakTeacher, speakers == classroom.SpeakAssistant && a.Role == classroom.Student:
		return true
	case scripted && r.keepsPassages(): // one voice gives the hint
		return true
	case scripted && a.Role == classroom.Assistant:
		return len(r.lookUp(ctx).terms) == 0
	}
	return scripted && a.Role == classroom.Student && len(r.lookUp(ctx).found.Passages) == 0
}

// waitsForTry reports whether the class gets hints first and nobody has tried yet.
func (r *run) waitsForTry() bool {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	h, _ := r.hint()
	return h != nil && h.Tries == 0 && h.Rung < h.Of
}

// chosenSpeakers returns who answers: as the question says, or else the class.
func (r *run) chosenSpeakers() string {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if c := r.s.fold.Card(r.exchange); c != nil && c.Question.Speakers != "" {
		return c.Question.Speakers
	}
	return r.speakers.class.Rules.Speakers
}

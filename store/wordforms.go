package store

import "strings"

// The index cuts regular endings (plants, planted, planting). These are the
// forms it cannot know to be one word; they are asked for together.
var formGroups = strings.Split(`leaf leaves|half halves|life lives|wolf wolves|knife knives|shelf shelves|calf calves|man men|woman women
child children|tooth teeth|foot feet|mouse mice|goose geese|person people|ox oxen|louse lice
nucleus nuclei|fungus fungi|stimulus stimuli|radius radii|focus foci|cactus cacti|alveolus alveoli|locus loci|genus genera
bacterium bacteria|mitochondrion mitochondria|phenomenon phenomena|criterion criteria|spectrum spectra|stratum strata|medium media|datum data|ovum ova|stoma stomata
vertex vertices|index indices|matrix matrices|axis axes|analysis analyses|hypothesis hypotheses|synthesis syntheses|crisis crises|thesis theses|oasis oases|parenthesis parentheses
larva larvae|formula formulae|alga algae|vertebra vertebrae|nebula nebulae|antenna antennae
begin began begun|break broke broken|bring brought|build built|buy bought|catch caught|choose chose chosen|come came|draw drew drawn|drink drank drunk|drive drove driven
eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|fly flew flown|forget forgot forgotten|freeze froze frozen|give gave given|go went gone|grow grew grown
hear heard|hold held|keep kept|know knew known|lead led|leave left|lose lost|meet met|pay paid|rise rose risen|run ran|see saw seen|sell sold|send sent|shrink shrank shrunk
sing sang sung|sink sank sunk|sleep slept|speak spoke spoken|spend spent|spin spun|stand stood|steal stole stolen|strike struck|swim swam swum|take took taken
teach taught|tell told|think thought|throw threw thrown|understand understood|wear wore worn|win won|write wrote written|bend bent|bind bound|burn burnt|find found|melt molten
colour color|centre center|fibre fiber|metre meter|litre liter|behaviour behavior|grey gray|sulphur sulfur|aluminium aluminum|haemoglobin hemoglobin|oestrogen estrogen
neighbour neighbor|labour labor|favour favor|honour honor|harbour harbor|theatre theater|defence defense|mould mold|plough plow|analyse analyze|catalogue catalog|travelled traveled
photosynthesis photosynthetic photosynthesise photosynthesize|mitosis mitotic|meiosis meiotic|osmosis osmotic|high height|long length|wide width|deep depth|strong strength|warm warmth|hot heat|die death dead|born birth`, "\n")

var forms = func() map[string][]string {
	m := map[string][]string{}
	for _, line := range formGroups {
		for group := range strings.SplitSeq(line, "|") {
			words := strings.Fields(group)
			for i, w := range words {
				for j, other := range words {
					if i != j {
						m[w] = append(m[w], other)
					}
				}
			}
		}
	}
	return m
}()

// otherForms returns what else a word may be written like.
func otherForms(w string) []string {
	out := forms[w]
	for _, ends := range [][2]string{{"ise", "ize"}, {"ised", "ized"}, {"isation", "ization"}} {
		for i := range ends {
			if root, ok := strings.CutSuffix(w, ends[i]); ok && len(root) > 3 {
				out = append(out[:len(out):len(out)], root+ends[1-i])
			}
		}
	}
	return out
}

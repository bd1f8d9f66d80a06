package store

import "strings"

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// stopLists hold the words of each language that say nothing of a question's
// subject, without accents. What a list calls empty may be a subject in another
// language ("war", "die", "sin"), so one list at a time is used.
var stopLists = []map[string]bool{english,
	wordSet(`aber als am an auch auf aus bei beim bin bis da damit dann das dass dem den der des die dies diese dieser
		dieses doch du durch ein eine einem einen einer eines er es etwas fur gibt hat hatte haben ich ihr im in ist ja kann
		kein keine man mein mir mit nach nicht noch nur oder ob sein sich sie sind so und uns um unter vom von vor war
		waren warum was weil welche welcher welches wenn wer werden wie wieso wir wird wo wozu wurde wurden zu zum zur
		uber bitte erklare erklaren mal denn`),
	wordSet(`a ai au aux avec ce ces cette c comme comment d dans de des du elle elles en est et etait etre eu il ils j je l la
		le les leur lui m ma mais me meme mes moi mon n ne nous on ont ou par pas peut plus pour pourquoi qu quand que
		quel quelle quelles quels qui quoi s sa sans se ses si son sont sur t te tu un une vous y explique expliquer moi
		entre fait font quest`),
	wordSet(`a al como con cual cuales cuando cuanto de del desde donde e el ella ellos en entre es esa ese eso esta este esto fue
		fueron ha hay la las le les lo los mas me mi muy no nos o para pero por porque que quien quienes se si sin sobre
		son su sus te tu un una unas unos y ya explica explicar puede`),
	wordSet(`a ai al alla anche che chi ci come con cosa cos cui da dal dalla de degli dei del della delle di dove e ed era gli ha
		hanno i il in io l la le lo ma mi ne nei nel nella non o per perche piu qual quale quali quando quanto se si sono
		su sul sulla tra un una uno spiega puo`),
	wordSet(`a ao aos as com como da das de do dos e ela ele em entre era essa esse esta este eu foi ha isso isto la mais mas me
		na nas nao no nos o os ou para pela pelo por porque qual quais quando que quem se sem sao seu sua sobre tem um
		uma e explica explique pode onde`),
	wordSet(`aan al als bij dan dat de den der deze die dit door dus een en er geen had heeft hebben het hier hij hoe hun ik in is je
		kan maar me men met mij mijn na naar niet nog nu of om onder ons ook op over te tegen tot uit van veel voor waar
		waarom wanneer was wat we welke wel werd wie wij worden wordt ze zich zij zijn zo zou`),
	wordSet(`alla att av de dem den det detta du eller en ett for fran ha han har hon hur i in inte jag kan man med men mig ni
		nar och om oss pa sa sig som till under upp ut vad var varfor vem vi vilka vilken vilket ar er og til af pa hvad
		hvorfor hvordan hvor`),
	wordSet(`a aby albo ale bo by byc byl byla bylo co czy czym dla do dlaczego gdy gdzie go i ich ile im ja jak jaka jakie jaki
		jako jest kiedy kto ktora ktore ktory lub ma mi moze na nad nie niz o od oraz po pod przez przy sa sie ta tak
		tego ten to tu ty w we wiec z za ze`),
	wordSet(`а без бы был была были было в вам вас во вот все вы где да для до его ее если есть же за и из или им их к как какая
		какие какои когда которая которые которыи кто ли мы на над не него нет но о об он она они оно от по под почему
		при с со так такое то тоже только у чего чем что чтобы эта эти это я`),
}

var english = wordSet(`a about above after again all also am an and any are as at be because been before being below between both but by can
	could d did do does doing done down during each either every few for from further get gets got had has have having
	he her here hers him himself his how i if in into is isn it its itself just ll let lets like made make makes many may
	me might more most much must my myself no nor not now of off often on once one only or other our out over own per
	quite rather re really s same shall she should so some such t than that the their them then there these they thing
	things this those through thus to too under until up upon us use used using ve very was way we well were what when
	where whether which while who whom whose why will with within without won would yes yet you your yours hi hello hey
	thanks thank ok okay don doesn didn aren wasn`)

// askingWords are what a question says of itself rather than of its subject.
var askingWords = wordSet(`answer ask asked call called compare could define definition describe detail details discuss example examples
	explain explained explanation find give help idea know learn list main mean meaning means name need please question
	questions quick say says see show simple simply sort summarise summarize summary talk teach tell understand want
	wanted wonder word words work works difference important`)

// stopWords returns the list for the language that words are in: that with the
// most hits, English when in doubt.
func stopWords(words []string) map[string]bool { return stopLists[language(words)] }

// german is the place of its list.
const german = 1

func isGerman(words []string) bool { return language(words) == german }

// language returns the place of its list.
func language(words []string) int {
	best, most := 0, 0
	for i, list := range stopLists {
		n := 0
		for _, w := range words {
			if list[w] {
				n++
			}
		}
		if n > most && (i == 0 || n > 1) {
			best, most = i, n
		}
	}
	return best
}

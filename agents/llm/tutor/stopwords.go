package tutor

import "strings"

func setOf(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, l := range lists {
		for _, w := range strings.Fields(l) {
			set[w] = true
		}
	}
	return set
}

// stopWords carry no meaning of their own. The last lines are other languages'
// words that are no English ones.
var stopWords = setOf(`
a an the and or but nor so if then else than as of in on at to from by for with without into onto about over under
between through during before after above below up down out off again once also too very just only even still yet
i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this that these those
there here who whom whose which what when where why how whether
is are was were be been being am do does did done doing has have had having can could will would shall should may
might must ought let lets not no any some all each every both either neither such other others another same own
it's that's what's who's where's how's i'm i've don't doesn't didn't isn't aren't can't won't
myself yourself himself herself itself ourselves themselves because although though while unless until since
please hello hi hey thanks thank ok okay yes dear sir miss`, `
ist sind der das und ein eine einen einem einer wie warum welche welcher nicht auf mit
les est une des que quoi pourquoi quel quelle sont
el los las una qué por como cómo porque cuál`)

// lightWords ask for something or carry little: they are not worth a search
// where a better word stands beside them.
var lightWords = setOf(`
explain explains explained tell describe define say says said mean means meant meaning know learn learned understand
understanding think see show give given gives get gets got go goes come comes look looks happen happens happened work
works make makes made take takes took put call called calls name named want need needs needed help use used uses using
find found finds discover discovered invent invented invention create created become became begin began begins start
started starts end ended ends live lived lives write wrote written play plays keep try tries question questions answer
answers word words sentence sentences text texts material materials passage passages lesson class teacher pupil student
topic topics thing things something anything everything way ways kind kinds type types sort sorts part parts step steps
process reason reasons cause causes caused difference differences different differ compare comparison similar example
examples instance formula formulas equation equations definition important importance role purpose main idea ideas fact
facts list people person time times place places year years many much more most less long far big large small old new
good bad great first second next last exactly really actually simple simply simpler short shorter shortly briefly
detail details little bit again one two three four five few several lot lots summary summarise summarize overview solve
calculate compute work homework exam ones exception exceptions case cases order`)

// kindWords say what kind of answer is wanted, and are no part of what is asked about.
var kindWords = setOf(`
explain tell describe define say mean means meant meaning difference differences differ compare comparison example
examples instance definition reason reasons cause causes caused list name summary summarise summarize overview happen
happens happened work works know important vs versus between`)

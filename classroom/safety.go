package classroom

// CodeSafety is the code of a run_end whose exchange ended because a person
// wrote a message of distress. No agent answers such a message.
const CodeSafety = "safety"

// ActionAdult is the action of a safety event that sent the person to an adult.
const ActionAdult = "adult"

// The kinds of distress.
const (
	DistressSelfHarm = "self_harm"
	DistressAbuse    = "abuse"
	DistressDanger   = "danger"
)

// safetyTexts are the fixed answer to a message of distress, by language.
var safetyTexts = map[string]string{
	"en": "Thank you for writing this. It sounds serious, and you do not have to deal with it alone. Please " +
		"talk today to an adult you trust, for example somebody at your school or in your family. If you are " +
		"in danger right now, go to an adult near you or call the emergency number. This is a fixed text: no " +
		"AI has read your message.",
	"de": "Danke, dass du das geschrieben hast. Das klingt ernst, und du musst damit nicht allein bleiben. " +
		"Bitte sprich noch heute mit einer erwachsenen Person, der du vertraust, zum Beispiel in deiner " +
		"Schule oder in deiner Familie. Wenn du gerade in Gefahr bist, geh zu einer erwachsenen Person in " +
		"deiner Nähe oder rufe den Notruf an. Dies ist ein fester Text: Keine KI hat deine Nachricht gelesen.",
	"fr": "Merci d’avoir écrit cela. C’est sérieux, et tu n’as pas à y faire face sans aide. Parle aujourd’hui " +
		"à un adulte en qui tu as confiance, par exemple dans ton école ou dans ta famille. Si tu es en " +
		"danger en ce moment, va voir un adulte près de toi ou appelle le numéro d’urgence. Ceci est un texte " +
		"fixe : aucune IA n’a lu ton message.",
	"es": "Gracias por escribir esto. Parece algo serio, y no tienes que afrontarlo sin ayuda. Por favor, habla " +
		"hoy con una persona adulta de confianza, por ejemplo en tu escuela o en tu familia. Si estás en " +
		"peligro ahora mismo, acude a una persona adulta que esté cerca o llama al número de emergencias. " +
		"Este es un texto fijo: ninguna IA ha leído tu mensaje.",
}

// SafetyText is the answer to a message of distress, in English where there is
// none in lang.
func SafetyText(lang string) string {
	if text, ok := safetyTexts[lang]; ok {
		return text
	}
	return safetyTexts["en"]
}

// A CardSafety says that a message of distress ended an exchange.
type CardSafety struct {
	Safety
	Steer *Utterance // the message, where it is not the card's question
}

// Distressed reports that the card's question is a message of distress.
func (c *Card) Distressed() bool { return c.Safety != nil && c.Safety.Prompt == c.Question.Cursor }

// safety moves a message of distress to its card: no transcript has it.
func (f *Fold) safety(e Event, p Safety) {
	c := f.touch(e)
	if c == nil {
		return
	}
	c.Safety, c.FootRev = &CardSafety{Safety: p, Steer: f.removeUnplaced(p.Prompt)}, e.ID
}

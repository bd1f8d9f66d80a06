package classroom

import "fmt"

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

// adultTexts name the adult of the class, and helpLineTexts its help line, by language.
var (
	adultTexts = map[string]string{
		"en": "At your school you can go to %s.", "de": "An deiner Schule kannst du zu %s gehen.",
		"fr": "Dans ton école, tu peux aller voir %s.", "es": "En tu escuela puedes acudir a %s.",
	}
	helpLineTexts = map[string]string{
		"en": "You can also call: %s.", "de": "Du kannst auch anrufen: %s.",
		"fr": "Tu peux aussi appeler : %s.", "es": "También puedes llamar: %s.",
	}
)

// Text is the answer to a message of distress, in English where there is none in its
// language. It names the adult and the help line of the class.
func (s Safety) Text() string {
	lang := s.Lang
	if safetyTexts[lang] == "" {
		lang = "en"
	}
	text := safetyTexts[lang]
	if s.Adult != "" {
		text += " " + fmt.Sprintf(adultTexts[lang], s.Adult)
	}
	if s.HelpLine != "" {
		text += " " + fmt.Sprintf(helpLineTexts[lang], s.HelpLine)
	}
	return text
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
	if p.Kind != "" {
		return
	}
	// Whoever reads this may not read the message. A log of an earlier version does not mark it.
	if c.Question.Cursor == p.Prompt {
		c.Question.Text, c.Question.Author = "", Author{}
	}
	c.Safety.Steer = nil
}

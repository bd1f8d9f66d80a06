package locale

import (
	"embed"
	"fmt"
	"slices"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// A language is added by its file, named by its tag.
//
//go:embed *.toml
var files embed.FS

const englishFile = "en.toml"

// rightToLeft are the scripts that are written so.
var rightToLeft = []string{"Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm"}

type catalogue struct {
	languages []*Language // English first
	pseudo    *Language
	matcher   language.Matcher // of languages
}

// The files are read at the first use. They are part of the program, so an error in
// one is a fault of the program.
var loaded = sync.OnceValue(func() *catalogue {
	c, err := read()
	if err != nil {
		panic(err)
	}
	return c
})

// English returns the language that has all texts.
func English() *Language { return loaded().languages[0] }

// Languages returns the languages that people can choose, English first.
func Languages() []*Language { return loaded().languages }

// Match returns the language for a reader. Each of wanted is a tag or the value of an
// Accept-Language header; the first that names a language of the product decides.
func Match(wanted ...string) *Language {
	c := loaded()
	for _, w := range wanted {
		if w == pseudoTag {
			return c.pseudo
		}
		asked, _, err := language.ParseAcceptLanguage(w)
		if err != nil || len(asked) == 0 {
			continue
		}
		if _, i, confidence := c.matcher.Match(asked...); confidence >= language.High {
			return c.languages[i]
		}
	}
	return c.languages[0]
}

func read() (*catalogue, error) {
	english, err := messagesOf(englishFile)
	if err != nil {
		return nil, err
	}
	first, err := newLanguage(language.English, english)
	if err != nil {
		return nil, err
	}
	pseudo, err := newLanguage(language.Make(pseudoTag), pseudoMessages(english))
	if err != nil {
		return nil, err
	}
	c := &catalogue{languages: []*Language{first}, pseudo: pseudo}
	tags := []language.Tag{language.English}
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("list the files of texts: %w", err)
	}
	for _, e := range entries {
		if e.Name() == englishFile {
			continue
		}
		messages, err := messagesOf(e.Name())
		if err != nil {
			return nil, err
		}
		tag := language.Make(e.Name()[:len(e.Name())-len(".toml")])
		l, err := newLanguage(tag, slices.Concat(english, messages))
		if err != nil {
			return nil, err
		}
		c.languages, tags = append(c.languages, l), append(tags, tag)
	}
	c.matcher = language.NewMatcher(tags)
	return c, nil
}

func messagesOf(file string) ([]*i18n.Message, error) {
	data, err := files.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read texts: %w", err)
	}
	f, err := i18n.ParseMessageFileBytes(data, file, map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal})
	if err != nil {
		return nil, fmt.Errorf("read texts of %s: %w", file, err)
	}
	return f.Messages, nil
}

// newLanguage returns a language with messages, of which the last of a key counts.
func newLanguage(tag language.Tag, messages []*i18n.Message) (*Language, error) {
	bundle := i18n.NewBundle(tag)
	if err := bundle.AddMessages(tag, messages...); err != nil {
		return nil, fmt.Errorf("add texts in %s: %w", tag, err)
	}
	l := &Language{Tag: tag.String(), Dir: "ltr", messages: make(map[string]*i18n.Message, len(messages))}
	if script, _ := tag.Script(); slices.Contains(rightToLeft, script.String()) {
		l.Dir = "rtl"
	}
	for _, m := range messages {
		l.messages[m.ID] = m
	}
	l.localizer = i18n.NewLocalizer(bundle, l.Tag)
	return l, nil
}

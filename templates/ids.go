package templates

import "strconv"

// Ids of the fixed elements of a page, which live patches target.
const (
	ExchangesID       = "exchanges"
	QueueID           = "queue"
	ComposerActionsID = "composer-actions"
	ComposerErrorID   = "composer-error"
	NavID             = "nav"
	SessionTitleID    = "session-title"
	RosterID          = "roster"
	MaterialsID       = "materials"
	OlderID           = "older"
	StreamID          = "stream"
	SpentID           = "spent"
)

// CardID is the id of the card of an exchange.
func CardID(exchange int) string { return "x" + strconv.Itoa(exchange) }

// CardHeadID is the id of a card's head.
func CardHeadID(exchange int) string { return CardID(exchange) + "h" }

// CardFootID is the id of a card's foot.
func CardFootID(exchange int) string { return CardID(exchange) + "f" }

// WindowsID is the id of the container of a card's windows.
func WindowsID(exchange int) string { return CardID(exchange) + "w" }

// WindowID is the id of a window of a card.
func WindowID(exchange, window int) string { return WindowsID(exchange) + strconv.Itoa(window) }

// WindowHeadID is the id of a window's head.
func WindowHeadID(exchange, window int) string { return WindowID(exchange, window) + "h" }

// EntriesID is the id of the container of a window's entries.
func EntriesID(exchange, window int) string { return WindowID(exchange, window) + "e" }

// EntryID is the id of an entry of a window.
func EntryID(exchange, window, entry int) string {
	return EntriesID(exchange, window) + strconv.Itoa(entry)
}

// BlockID is the id of a block of a message.
func BlockID(exchange, window, entry, block int) string {
	return EntryID(exchange, window, entry) + "p" + strconv.Itoa(block)
}

// ChunkID is the id of a rendered chunk of a text block.
func ChunkID(block string, chunk int) string { return block + "k" + strconv.Itoa(chunk) }

// ThinkingSummaryID is the id of the summary line of a thinking block.
func ThinkingSummaryID(block string) string { return block + "s" }

// ThinkingTextID is the id of the text of a thinking block.
func ThinkingTextID(block string) string { return block + "t" }

// SessionRowID is the id of a session's row in the list of sessions.
func SessionRowID(session string) string { return "s-" + session }

package templates

import "strconv"

// The ids of a page's fixed parts. Live patches are addressed to them.
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

// PartID is the id of a part of a message entry.
func PartID(exchange, window, entry, part int) string {
	return EntryID(exchange, window, entry) + "p" + strconv.Itoa(part)
}

// ChunkID is the id of a rendered block of a text part.
func ChunkID(part string, chunk int) string { return part + "k" + strconv.Itoa(chunk) }

// ThinkingSummaryID is the id of a thinking part's one line.
func ThinkingSummaryID(part string) string { return part + "s" }

// ThinkingTextID is the id of a thinking part's raw text.
func ThinkingTextID(part string) string { return part + "t" }

// SessionRowID is the id of a session's row in the list of sessions.
func SessionRowID(session string) string { return "s-" + session }

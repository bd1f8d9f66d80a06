// Package wire is what the providers share: the address of a server and who may
// be reached, one request under way, the body of its answer made plain, and a
// provider's trouble made an error for people.
//
// # Delivery
//
// [Run] drives an SDK's stream and keeps the rules of package llm: what came
// before an error was delivered, nothing follows the end of the context, and
// an answer that says nothing for five minutes is broken off.
//
// The SDKs' event readers take LF and CRLF only, drop a last event that no
// blank line ends, and give up at the first data line that is not JSON. So
// [Exchange.Middleware] rewrites the body into one data line an event: CR, CRLF
// and LF, a BOM, comments, empty and chatty data lines, events without blank
// lines between them, lines that are bare JSON (NDJSON), one JSON body over
// many lines, events up to 16 MB. The SDKs' strings lose characters that a
// delta cuts in half; [Letters] reads them from the raw JSON.
//
// # Concurrency
//
// A [Provider], a [Memory] and a client may be used from many goroutines at
// once; an [Exchange], [IDs] and [Letters] belong to one answer and its goroutine.
//
// # Not here
//
// What a provider's events mean; trying again.
package wire

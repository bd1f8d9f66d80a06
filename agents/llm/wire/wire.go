// Package wire is the part of the HTTP protocol that the providers share: the
// address of a server and which addresses are allowed, one call and its answer, the
// normalised event stream, and a provider's errors as errors for users.
//
// # Delivery
//
// [Run] reads an SDK's stream and keeps the rules of package llm: events before an
// error are delivered, nothing follows the end of the context, and an answer
// without any data for [IdleTimeout] is ended.
//
// The SDKs' event parsers accept only LF and CRLF, drop a last event without a
// blank line, and stop at the first data line that is not JSON. So
// [Call.Middleware] rewrites the body to one data line per event. It accepts CR,
// CRLF and LF, a BOM, comments, data lines that are empty or not JSON, events
// without blank lines between them, JSON lines (NDJSON), one JSON document over
// many lines, and events of up to 16 MB. The SDKs' strings lose characters that
// are split between two deltas; [JSONTextDecoder] reads them from the raw JSON.
//
// # Concurrency
//
// A [Provider], [Capabilities] and a client may be used from many goroutines at
// once. A [Call], [CallIDs] and a [JSONTextDecoder] belong to one answer and its
// goroutine.
//
// # Not here
//
// Providers interpret their events; package agents makes retries.
package wire

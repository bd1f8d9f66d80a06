// Package wire is the part of the HTTP protocol that the providers share: the
// address of a server and which addresses are allowed, one call and its answer, the
// normalised event stream, and a provider's errors as errors for users.
//
// # Delivery
//
// [Run] sends a request, reads the events of the answer and keeps the rules of package
// llm: events before an error are delivered, nothing follows the end of the context,
// and an answer without any data for [IdleTimeout] is ended.
//
// [EventReader] accepts CR, CRLF and LF, a BOM, comments, data lines that are empty or
// not JSON, events without blank lines between them, JSON lines (NDJSON), one JSON
// document over many lines, and events of up to 16 MB. A field of an unexpected type is
// skipped. A character may be split between two deltas; [JSONTextDecoder] joins it.
//
// # Concurrency
//
// A [Server], [Capabilities] and a client may be used from many goroutines at
// once. A [Call], [CallIDs] and a [JSONTextDecoder] belong to one answer and its
// goroutine.
//
// # Not here
//
// Providers interpret their events; package agents makes retries.
package wire

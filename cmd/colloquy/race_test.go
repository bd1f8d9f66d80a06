//go:build race

package main

// raced says that the tests run under the race detector, and so does the server that they start.
const raced = true

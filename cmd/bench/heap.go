//go:build linux

package main

// reservedHeap is the same as in cmd/colloquy/heap.go, so that the measured servers
// collect garbage as the product does.
var reservedHeap = make([]byte, 32<<20)

//go:build linux

package main

// restingHeap is what the product has in cmd/colloquy/heap.go: the servers that
// are measured collect their heaps as it does.
var restingHeap = make([]byte, 32<<20)

// Command racy has a data race.
package main

import "fmt"

func main() {
	n, done := 0, make(chan bool)
	go func() {
		n++
		done <- true
	}()
	n++
	<-done
	fmt.Println(n)
}

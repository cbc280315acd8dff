// a goroutine reads lines into a channel all the time; the main one asks, then waits for a timer
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func main() {
	lines := make(chan string, 9)
	go func() {
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			lines <- in.Text()
		}
		os.Exit(0)
	}()
	fmt.Print("Image to pull: ")
	<-lines
	time.Sleep(3200 * time.Millisecond)
	fmt.Print("Tag: ")
	<-lines
	for until := time.Now().Add(3200 * time.Millisecond); time.Now().Before(until); {
	}
	fmt.Print("Registry: ")
	<-lines
	time.Sleep(time.Minute)
}

// to be run inside a debugger: measures again and again, each time for a while
package main

import (
	"fmt"
	"time"
)

//go:noinline
func measure(meter string) int {
	time.Sleep(1300 * time.Millisecond)
	return len(meter)
}

func main() {
	for total := 0; ; {
		total += measure("meter")
		if total%100 == 0 {
			fmt.Println(total)
		}
	}
}

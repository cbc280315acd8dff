// questions read with fmt.Scanln, and pauses
package main

import (
	"fmt"
	"time"
)

func main() {
	for i := 1; ; i++ {
		fmt.Printf("Question %d: ", i)
		var answer string
		if _, err := fmt.Scanln(&answer); err != nil {
			return
		}
		time.Sleep(1300 * time.Millisecond)
		fmt.Println("wrong")
	}
}

// a screen over a goroutine that downloads: the count changes every 100 ms; then it waits for a key
package main

import (
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"time"
)

func main() {
	stty := exec.Command("stty", "raw", "-echo")
	stty.Stdin = os.Stdin
	stty.Run()
	keys := make(chan byte)
	go func() {
		key := make([]byte, 1)
		for {
			if n, _ := os.Stdin.Read(key); n != 1 {
				os.Exit(0)
			}
			keys <- key[0]
		}
	}()
	fmt.Print("\x1b[?1049h\x1b[2J")
	for run := 0; ; run++ {
		var chunks atomic.Int64
		end := time.Now().Add(3500 * time.Millisecond)
		if run > 0 {
			end = end.Add(time.Minute)
		}
		go func() {
			for time.Now().Before(end) {
				time.Sleep(15 * time.Millisecond)
				chunks.Add(1)
			}
		}()
		for time.Now().Before(end) {
			fmt.Printf("\x1b[H Mirror\x1b[K\r\n\r\n %d chunks\x1b[K\r\n", chunks.Load())
			select {
			case key := <-keys:
				if key == 'q' {
					fmt.Print("\x1b[?1049l")
					return
				}
			case <-time.After(100 * time.Millisecond):
			}
		}
		fmt.Print("\x1b[H Mirror\x1b[K\r\n\r\n complete\x1b[K\r\n\r\n m mirror again   q quit")
		for key := <-keys; key != 'm'; key = <-keys {
		}
		fmt.Print("\x1b[2J")
	}
}

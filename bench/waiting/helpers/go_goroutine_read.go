// Go: one goroutine reads stdin all the time, another works; a channel says when the next command is welcome
package main

import (
	"bufio"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"
)

func truth(label string) {
	f, err := os.OpenFile(os.Getenv("PHASE_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return
	}
	var t syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 1, uintptr(unsafe.Pointer(&t)), 0)
	fmt.Fprintf(f, "%d %s\n", t.Nano(), label)
	f.Close()
}

func main() {
	lines := make(chan string)
	go func() {
		s := bufio.NewScanner(os.Stdin)
		for s.Scan() {
			lines <- s.Text()
		}
		close(lines)
	}()
	for {
		for until := time.Now().Add(1500 * time.Millisecond); time.Now().Before(until); {
		}
		fmt.Print("worker free> ")
		truth("wait")
		if _, ok := <-lines; !ok {
			return
		}
	}
}

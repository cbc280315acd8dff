// Go: bufio with goroutines that compute, then raw mode by ioctl, key by key
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

func burn(d time.Duration) {
	done := make(chan bool)
	go func() {
		for until := time.Now().Add(d); time.Now().Before(until); {
		}
		done <- true
	}()
	<-done
}

func termios(req uintptr, t *syscall.Termios) {
	syscall.Syscall(syscall.SYS_IOCTL, 0, req, uintptr(unsafe.Pointer(t)))
}

func main() {
	in := bufio.NewReader(os.Stdin)
	burn(800 * time.Millisecond)
	fmt.Print("module name: ")
	truth("wait")
	in.ReadString('\n')
	time.Sleep(1200 * time.Millisecond)
	var old, raw syscall.Termios
	termios(syscall.TCGETS, &old)
	raw = old
	raw.Lflag &^= syscall.ICANON | syscall.ECHO
	termios(syscall.TCSETS, &raw)
	fmt.Print("go on? (y/n) ")
	truth("wait")
	in.ReadByte()
	fmt.Println()
	burn(1300 * time.Millisecond)
	fmt.Print("pick 1-3: ")
	truth("wait")
	in.ReadByte()
	termios(syscall.TCSETS, &old)
	burn(3 * time.Second)
}

// an installer counts down until a key is pressed; then it asks, and counts down again where no key counts
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"time"

	"syscall"
	"unsafe"
)

func truth(label string) {
	log, err := os.OpenFile(os.Getenv("PHASE_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return
	}
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 1, uintptr(unsafe.Pointer(&now)), 0)
	fmt.Fprintf(log, "%d %s\n", now.Nano(), label)
	log.Close()
}

func stty(words ...string) {
	command := exec.Command("stty", words...)
	command.Stdin = os.Stdin
	command.Run()
}

func readKey() byte {
	key := make([]byte, 1)
	os.Stdin.Read(key)
	return key[0]
}

func countdown(text string, seconds int) {
	for ; seconds > 0; seconds-- {
		fmt.Printf("\r\x1b[K"+text, seconds)
		time.Sleep(time.Second)
	}
	fmt.Print("\r\n")
}

func main() {
	stty("raw", "-echo")
	fmt.Print("Looking for disks")
	time.Sleep(1200 * time.Millisecond)
	fmt.Print("\r\n")
	pressed := make(chan byte)
	go func() { pressed <- readKey() }()
	second := time.NewTicker(time.Second)
	truth("wait")
	isPressed := false
	for left := 20; left > 0 && !isPressed; left-- {
		fmt.Printf("\r\x1b[KThe installation starts in %d s, press any key to choose ", left)
		select {
		case <-pressed:
			isPressed = true
		case <-second.C:
		}
	}
	second.Stop()
	stty("sane")
	fmt.Print("\n 1) Install\n 2) Repair\nChoice [1]: ")
	truth("choice")
	bufio.NewReader(os.Stdin).ReadString('\n')
	stty("raw", "-echo")
	countdown("Loading the kernel, %d s left ", 4)
	fmt.Print("Erase the old system? [y/n] ")
	truth("erase")
	readKey()
	fmt.Print("\r\n")
	countdown("The machine restarts in %d s ", 60)
	stty("sane")
}

// a password with stars: reads that never block, between naps of 10 ms and later of 100 ms
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
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

func secret(question string, nap time.Duration) {
	fmt.Print(question)
	truth("wait")
	key := make([]byte, 1)
	for {
		n, _ := syscall.Read(0, key)
		if n != 1 {
			time.Sleep(nap)
			continue
		}
		if key[0] == '\r' || key[0] == '\n' {
			fmt.Print("\r\n")
			return
		}
		fmt.Print("*")
		truth("key")
	}
}

func work(rounds int, nap time.Duration) {
	for ; rounds > 0; rounds-- {
		time.Sleep(nap)
	}
}

func main() {
	stty := exec.Command("stty", "raw", "-echo")
	stty.Stdin = os.Stdin
	stty.Run()
	syscall.SetNonblock(0, true)
	secret("Vault password: ", 10*time.Millisecond)
	work(300, 10*time.Millisecond)
	secret("Repeat the vault password: ", 100*time.Millisecond)
	work(600, 100*time.Millisecond)
}

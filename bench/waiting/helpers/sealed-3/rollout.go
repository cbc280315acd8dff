// a rollout: the question is drawn before a scan that takes its time, a code in stars, progress with a question in its middle
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

func truth(label string) {
	file, err := os.OpenFile(os.Getenv("PHASE_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return
	}
	defer file.Close()
	const monotonic = 1
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, monotonic, uintptr(unsafe.Pointer(&now)), 0)
	fmt.Fprintf(file, "%d %s\n", now.Nano(), label)
}

func stty(words ...string) {
	command := exec.Command("stty", words...)
	command.Stdin = os.Stdin
	command.Run()
}

func stars(in *bufio.Reader) {
	stty("-icanon", "-echo", "min", "1")
	defer stty("icanon", "echo")
	truth("code")
	for {
		key, err := in.ReadByte()
		if err != nil || key == '\n' || key == '\r' {
			break
		}
		fmt.Print("*")
	}
	fmt.Println()
}

func progress(from, to int, pause time.Duration) {
	for done := from; done <= to; done += 5 {
		fmt.Printf("\r\033[Kcopying %-20s %3d%%", strings.Repeat("=", done/5), done)
		time.Sleep(pause)
	}
}

func main() {
	in := bufio.NewReader(os.Stdin)
	fmt.Print("Region to roll out to (scanning for regions): ")
	time.Sleep(3600 * time.Millisecond)
	truth("region")
	region, _ := in.ReadString('\n')
	fmt.Print("One-time code: ")
	stars(in)
	progress(0, 50, 150*time.Millisecond)
	fmt.Printf("\n3 of 9 hosts in %s are old. Go on? [y/N] ", strings.TrimSpace(region))
	truth("half")
	in.ReadString('\n')
	progress(50, 100, 350*time.Millisecond)
	fmt.Print("\nKeep the old version? yes/no: ")
	truth("keep")
	in.ReadString('\n')
	fmt.Print("Waiting for the load balancer, continue? ")
	time.Sleep(time.Minute)
}

// asks for a one-time code while a ticker keeps the connection to the server alive; the server answers three seconds after a code
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"time"
)

func serve(listener net.Listener) {
	peer, err := listener.Accept()
	if err != nil {
		return
	}
	codes := 0
	in := bufio.NewScanner(peer)
	for in.Scan() {
		if in.Text() == "alive" {
			fmt.Fprintln(peer, "alive")
			continue
		}
		codes++
		thinking := 3200 * time.Millisecond
		if codes > 2 {
			thinking = time.Minute
		}
		time.AfterFunc(thinking, func() { fmt.Fprintln(peer, "wrong") })
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go serve(listener)
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		panic(err)
	}
	verdicts := make(chan string, 1)
	go func() {
		in := bufio.NewScanner(connection)
		for in.Scan() {
			if in.Text() != "alive" {
				verdicts <- in.Text()
			}
		}
	}()
	go func() {
		for range time.Tick(time.Second) {
			fmt.Fprintln(connection, "alive")
		}
	}()
	in := bufio.NewReader(os.Stdin)
	for {
		fmt.Print("Code from your phone: ")
		code, err := in.ReadString('\n')
		if err != nil {
			return
		}
		fmt.Fprint(connection, code)
		fmt.Println("The code is", <-verdicts)
	}
}

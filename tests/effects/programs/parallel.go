// The same as parallel.py, in goroutines, beside others that make the collector and the scheduler send signals.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	threads = 16
	rounds  = 40
)

var home = os.Getenv("HOME")

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func work(number int, refused *atomic.Int32) {
	runtime.LockOSThread()
	name := func(front string) string { return fmt.Sprintf("%s%d", front, number) }
	for at := 0; at < rounds; at++ {
		must(os.WriteFile(name("t"), []byte("x"), 0o644))
		must(os.Rename(name("t"), name("u")))
		must(os.Remove(name("u")))
		must(os.WriteFile(name(home+"/new"), []byte("x"), 0o644))
		must(os.Remove(name(home + "/new")))
		if at != rounds/2 {
			continue
		}
		err := os.Remove(name(home + "/keep/k"))
		if errors.Is(err, os.ErrPermission) {
			refused.Add(1)
		} else {
			must(err)
		}
	}
	must(os.WriteFile(name("end"), []byte(fmt.Sprint(number)), 0o644))
}

func main() {
	var refused atomic.Int32
	var group sync.WaitGroup
	var isOver atomic.Bool
	for i := 0; i < 2; i++ {
		go func() {
			for !isOver.Load() {
				_ = make([]byte, 1<<16)
			}
		}()
	}
	for number := 0; number < threads; number++ {
		group.Add(1)
		go func(number int) {
			defer group.Done()
			work(number, &refused)
		}(number)
	}
	group.Wait()
	isOver.Store(true)
	fmt.Println("refused", refused.Load())
}

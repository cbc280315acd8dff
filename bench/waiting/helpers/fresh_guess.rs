// a number to guess, as in the book: asks, thinks, asks again
use std::io::{self, Write};
use std::{thread, time::Duration};

fn main() {
    loop {
        print!("Guess: ");
        io::stdout().flush().unwrap();
        let mut line = String::new();
        if io::stdin().read_line(&mut line).unwrap() == 0 {
            return;
        }
        thread::sleep(Duration::from_millis(1200));
        println!("Too small");
    }
}

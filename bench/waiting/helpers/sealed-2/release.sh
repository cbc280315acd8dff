# a script prints its question first and then looks for the default: in a child that sleeps, or in one that computes
ask() {
  printf '%s' "$1"
  found=$(eval "$2")
  "$TRUTH" wait
  read -r answer
  : "${answer:=$found}"
}
ask 'Branch to release: ' 'sleep 0.4; echo main'
ask "Version for $answer: " 'head -c 60000000 /dev/zero | sha256sum | cut -c1-4'
ask "Notes for version $answer: " 'sleep 0.25; echo none'
ask 'Ticket: ' 'sleep 60; echo none'

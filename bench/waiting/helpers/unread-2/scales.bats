# three tests, one of which asks whoever runs them
@test "the scale wakes up" {
  sleep 0.8
}

@test "the scale shows what lies on it" {
  printf 'Put the weight on. What does it show? ' > /dev/tty
  "$TRUTH" wait
  read -r shown < /dev/tty
  sleep 1.3
  [ "$shown" = 5 ]
}

@test "the scale goes to sleep" {
  sleep "${NAP:-1}"
}

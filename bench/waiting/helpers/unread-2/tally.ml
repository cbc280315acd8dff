(* to be run inside a debugger *)
let rec total n = if n = 0 then 0 else n + total (n - 1)

let work seconds =
  let until = Unix.gettimeofday () +. seconds in
  let n = ref 0 in
  while Unix.gettimeofday () < until do n := total 100 done;
  !n

let () =
  let first = work 1.2 in
  Printf.printf "sum %d\n%!" first;
  let second = work 90.0 in
  Printf.printf "sum %d\n%!" second

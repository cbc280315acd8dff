#!/bin/sh
# Fails when C files depend on each other in a circle. A file depends on another one when it uses a function or a variable
# that the other one defines. Prints one TAP line, and for each circle its files and the symbols that close it.
#
#   circles.sh OBJECT...    the object files of one build
for object in "$@"; do
	symbols=$("${NM:-nm}" -P -g "$object") || exit 1
	file=$(basename "$object" .o).c
	echo "$file"
	echo "$symbols" | sed "s/^/$file /"
done | awk -v expected=$# '
NF == 1 { number[$1] = ++count; name[count] = $1; next }
$3 == "U" || $3 == "w" { needs[$1] = needs[$1] " " $2; next }
NF > 2 { owner[$2] = $1 }

# uses[a, b]: the symbols of file b that file a uses. reaches[a, b]: file a depends on file b, directly or over others.
function link_file(a,    symbols, total, i, b) {
	total = split(needs[name[a]], symbols, " ")
	for (i = 1; i <= total; i++) {
		b = symbols[i] in owner ? number[owner[symbols[i]]] : a
		if (b == a)
			continue
		uses[a, b] = uses[a, b] " " symbols[i]
		reaches[a, b] = 1
	}
}

function close_paths(    a, b, via) {
	for (via = 1; via <= count; via++)
		for (a = 1; a <= count; a++)
			if ((a, via) in reaches)
				for (b = 1; b <= count; b++)
					if ((via, b) in reaches)
						reaches[a, b] = 1
}

function in_one_circle(a, b) { return ((a, b) in reaches) && ((b, a) in reaches) }

function report_circle(first,    a, b) {
	print "# these C files depend on each other in a circle:"
	for (a = first; a <= count; a++) {
		if (!in_one_circle(first, a))
			continue
		is_reported[a] = 1
		for (b = 1; b <= count; b++)
			if (in_one_circle(first, b) && (a, b) in uses)
				print "#   " name[a] " uses from " name[b] ":" uses[a, b]
	}
	print "# Move one of these symbols into a lower file, or hand the lower file a function to call."
}

END {
	for (a = 1; a <= count; a++)
		link_file(a)
	close_paths()
	for (a = 1; a <= count; a++)
		if ((a, a) in reaches && !(a in is_reported)) {
			circles++
			report_circle(a)
		}
	if (count != expected)
		print "# nm has read " (count + 0) " of " expected " object files"
	good = expected > 0 && count == expected && !circles
	printf "%s 1 - no two C files depend on each other, directly or over other files\n1..1\n", (good ? "ok" : "not ok")
	exit !good
}'

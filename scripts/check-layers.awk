# SPDX-License-Identifier: Apache-2.0
# Lines of `nm -A -P -g` become a graph of objects: A needs B if A refers to a
# symbol that B defines.  For an area, prints the references against the order of
# units, and the objects in circles (the strongly connected groups; Tarjan,
# "Depth-first search and linear graph algorithms", 1972).  Status 1 if there are
# more than allowed.  See check-layers.

function unit(object,  i, best) {
	best = 0
	for (i = 1; i <= n_units; i++)
		if ((index(object "/", area "/" name_of[i] "/") == 1 ||
		     index(object, name_of[i] "/") == 1) &&
		    (!best || length(name_of[i]) > length(name_of[best])))
			best = i
	return best
}

function visit(a,  i, b, group, size) {
	order[a] = low[a] = ++visited
	stack[++depth] = a
	on_stack[a] = 1
	for (i = 1; i <= n_needs[a]; i++) {
		b = needs[a, i]
		if (!(b in order)) {
			visit(b)
			if (low[b] < low[a])
				low[a] = low[b]
		} else if (on_stack[b] && order[b] < low[a])
			low[a] = order[b]
	}
	if (low[a] != order[a])
		return
	group = ""
	size = 0
	do {
		b = stack[depth--]
		on_stack[b] = 0
		group = group " " b
		size++
	} while (b != a)
	if (size > 1) {
		in_circles += size
		text = text sprintf("  %d objects:%s\n", size, group)
	}
}

{
	object = $1
	sub(/\.o:$/, "", object)
	if (!(object in seen)) {
		seen[object] = 1
		objects[++n_objects] = object
	}
	if ($3 ~ /^[Uwv]$/)
		refers[++n_refers] = object SUBSEP $2
	else if (!($2 in home))
		home[$2] = object
}

END {
	n_units = split(units, name_of, " ")
	for (i = 1; i <= n_refers; i++) {
		split(refers[i], part, SUBSEP)
		a = part[1]
		if (!(part[2] in home) || (b = home[part[2]]) == a)
			continue
		if (!((a, b) in why)) {
			needs[a, ++n_needs[a]] = b
			if (unit(b) > unit(a)) {
				n_against++
				upward = upward sprintf("  %s needs %s of %s\n",
					a, part[2], b)
			}
		}
		why[a, b] = part[2]
	}
	for (i = 1; i <= n_objects; i++) {
		if (n_units && !unit(objects[i])) {
			printf "%s: %s is in no unit\n", area, objects[i]
			status = 1
		}
		if (!(objects[i] in order))
			visit(objects[i])
	}
	if (in_circles > circles || n_against > against)
		status = 1
	printf "%s: %d objects, %d in circles, %d references against the order\n",
		area, n_objects, in_circles, n_against
	if (status)
		printf "allowed: %d in circles, %d against the order\n%s%s",
			circles, against, text, upward
	exit status
}

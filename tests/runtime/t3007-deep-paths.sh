# SPDX-License-Identifier: Apache-2.0
# Deep call paths take memory for the frames that no other path has: each event
# has its own, whole, or its inner part where there is no room.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

wmcc -O1 -g -fno-optimize-sibling-calls -static -pthread -o deep \
	"$SRC/tests/progs/runtime/deep_paths.c"
run() { # WHAT... of deep.wm
	rm -rf run
	timeout 100 ./deep.wm "$@"
}
export WM_DIR=run
bytes() { # an event, in hundredths
	echo $(($(stat -c %s run/*/rank-*) * 100 / $(json 'j["events"]["total"]' \
		run/*)))
}
frames() { # written to the trace, in hundreds
	"$dump" --summary run/*/rank-* | jq '.frames / 100 | floor'
}
whole() { # events without a path, and how many dictionaries there were
	"$dump" --summary run/*/rank-* | jq -c '[.pathless, .generations]'
}

ok "a recursion that allocates on each level" run levels 3000 60000
is "one generation, each path there" "$(whole)" "[0,1]"
is "none is cut" "$(json 'j["run"]["cut_path_events"]' run/*)" 0
is "each of its frames, two a level, is written once" "$(frames)" 60
# 2.2, and more where the machine is busy: times; whole paths would take 150
ok "less than 6 bytes an event: $(bytes) hundredths" test "$(bytes)" -lt 600
ok "four of them at a time" run levels 1500 30000 4
is "one generation for all" "$(whole)" "[0,1]"
is "and the frames of one" "$(frames)" 30

ok "paths of up to a million frames" run bottoms 20 50000
is "none is lost" "$(whole)" "[0,1]"
is "and none is cut" "$(json 'j["run"]["cut_path_events"]' run/*)" 0
is "the longest has all frames that there are" "$(frames)" 10000

export WM_MEMORY=16M
ok "without room for them" run bottoms 3 300000
is "no event is lost" "$(json 'j["events"]["dropped"]' run/*)" 0
is "their paths are cut, and it is said" \
	"$(json 'j["run"]["cut_path_events"]' run/*)" 3
is "what is left is their inner part" "$("$dump" run/*/rank-* |
	awk '$3 == "MALLOC" && $5 == 100 {print (NF > 1000), $(NF - 1) == $(NF - 9)}' |
	uniq -c | tr -s ' ')" " 3 1 1"
done_testing

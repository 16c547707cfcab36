# SPDX-License-Identifier: Apache-2.0
# The summary: MPI's share, fragmentation, static, stack, resident memory, and
# what the tool takes; each where it is known.
. "$(dirname "$0")/../lib.sh" analyze-lib

# Memory that MPI allocates inside and memory that it returns, by hand.
run app.1.wm <<'E'
elf app
build-id 0011
rank 0 of 2
t 1000010 malloc 0x1000 1000 main<solve
t 1000020 malloc 0x2000 200 main<MPI_Init<MPIR_Init
t 1000030 malloc 0x3000 30 main<solve<mpi_bcast_<PMPI_Bcast<MPIR_x
t 1000040 mpi 0x4000 4000 main<solve
t 1000050 malloc 0x5000 5 main<MPI_Op<callback
end
rank 1 of 2
t 1000010 malloc 0x1000 7 main<MPI_Init
t 1000020 mpi 0x4000 2 main<solve
end
E
share() { # ARGUMENTS...: mpi of the JSON
	json '" ".join("%s" % v for v in j["mpi"].values())' "$@" app.1.wm
}
is "inside, given; no census" "$(share)" "230 2 4000 None"
is "of another rank" "$(share --rank 1)" "7 1 2 None"
is "of all ranks" "$(share --rank all)" "237 3 4002 None"
is "at a time" "$(share --timeline --at 25ns)" "200 1 None None"
is "without rules of MPI nothing is inside" "$(share --fold -mpi)" \
	"0 0 4000 None"
text=$(wm-analyze app.1.wm)
like "text: inside" "$text" '^  inside +230 bytes +230  allocated for itself'
like "text: given" "$text" '^  given +3\.9 KiB +4,000  MPI_Alloc_mem'
has_no "text: nothing about what is not known" \
	'^  system|^  at end|^  stack |in its archives' wm-analyze app.1.wm
is "CSV: empty where not known" "$(wm-analyze --csv app.1.wm | sed -n 2p |
	cut -d, -f12-)" ",,,,1048576"
run plain.1.wm <<'E'
elf plain
build-id 0012
rank 0 of 1
t 1000010 malloc 0x1000 1000 main
end
E
has_no "no MPI, no share" MPI wm-analyze plain.1.wm

# A program that says itself what malloc has from the system.
ok "builds" wmcc -g -static -o frag "$progs/report/fragments.c"
system=$(WM_DIR=run ./frag.wm)
is "the footprint at the end is what malloc says" \
	"$(json 'j["ranks"][0]["footprint_end_bytes"]' run/*.wm)" \
	"$system"
text=$(wm-analyze run/*.wm)
n=$(json 'j["families"]["heap"]["peak"],
	j["ranks"][0]["heap_unfreed_bytes"],
	j["heap"]["footprint"]["max"]' run/*.wm)
ratio=$(awk '{ printf "%.2f", $3 / $1 }' <<<"$n")
like "its peak beside the heap's" "$text" \
	"^  system .*from the system, $ratio times the heap's peak$"
like "at the end it is for little" "$text" \
	'^  at end +[34]\.[0-9] MiB .* at the end, for [2-9]\.[0-9] KiB never freed$'
sed 's/for (i = 0; i < 4000/for (int r = 0; r < 10; r++) &/' "$progs/report/fragments.c" >cap.c
ok "builds" wmcc -g -static -o cap cap.c
WM_MAX_BYTES=64K WM_COMPRESS=store WM_BUFFER=16K WM_DIR=cap.run ./cap.wm >/dev/null
like "the cap was reached: what it is for is not known" \
	"$(wm-analyze cap.run/*.wm 2>/dev/null)" '^  at end .*[0-9]  that malloc still had when the trace ended$'
like "static memory" "$text" '^  static .* \.bss [3-9][0-9][0-9]\.. KiB'
like "the stack" "$text" '^  stack +[0-9.]* [KM]iB .*of the main thread'
like "resident" "$text" '^  resident .*the most in RAM at a time, [0-9.]+ .iB of it the tool.s$'
like "the tool" "$text" '^  the tool .* of traces .*of memory in a rank, .* resident$'
row=$(wm-analyze --csv run/*.wm | sed -n 2p)
is "CSV: the same" "$(cut -d, -f15 <<<"$row")" "$system"
is "CSV: all known" "$(cut -d, -f12- <<<"$row" | tr ',' '\n' |
	grep -c '^[1-9]')" 5

mpi=$("$SRC/scripts/setup" --print-prefix mpich 2>/dev/null) || {
	skip "static MPICH" "scripts/setup --mpi has not been run"
	done_testing
	exit
}
ok "builds with static MPICH" env WM_CC="$mpi/bin/mpicc" wmcc -static \
	-o mem "$progs/mpi/alloc_mem.c"
rm -rf run
WM_DIR=run ./mem.wm >/dev/null
is "MPI: inside, given, static" "$(json '[j["mpi"]["inside_bytes"] > 10000,
	j["mpi"]["given_bytes"], j["mpi"]["static_bytes"] > 10000,
	[j["mpi"]["inside_bytes"]] == [l["bytes"] for l in j["libraries"]
	if l["name"] == "libmpi.a"], j["mpi"]["static_bytes"] ==
	sum(l["static_bytes"] or 0 for l in j["libraries"]
	if l["group"] in ("mpi", "mpi-base")), [l["bytes"] for l in j["libraries"]
	if l["kind"] == "program"]]' --libraries run/*.wm)" \
	"[True, 1048576, True, True, True, [1048576]]"
done_testing

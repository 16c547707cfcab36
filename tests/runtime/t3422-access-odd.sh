# SPDX-License-Identifier: Apache-2.0
# Odd programs whose loads and stores are recorded: as ever, and the trace is
# whole.
. "$(dirname "$0")/../lib.sh"
dump=$BUILD/test/tools/access-dump
export WMCC_ACCESS=1

# said PROGRAM: all that it says, and its status
said() {
	timeout $stuck "$@" 2>&1 | grep -v '^wmtrace: .* were not recorded$'
	echo "status ${PIPESTATUS[0]}"
}

for source in "$progs"/access/odd/*; do
	name=$(basename "${source%.*}")
	case $source in
	*.cpp) compilers="g++ clang++" ;;
	*) compilers="gcc clang" ;;
	esac
	for cc in $compilers; do
		command -v "$cc" >/dev/null ||
			{ skip "$name, $cc" "$cc is missing"; continue; }
		kinds=" -static"
		# where its inlined blocks are calls of what is not resolved yet
		[ "$name" = resolver ] && kinds="$kinds+-static-pie -fPIE"
		IFS=+ read -ra kinds <<<"+${kinds# }"
		for kind in "${kinds[@]}"; do
			what="$name, $cc $kind"
			rm -rf run
			ok "$what: builds" env WM_CC="$cc" WM_CXX="$cc" \
				"$([ "${cc#*++}" = "$cc" ] && echo wmcc ||
				echo wmcxx)" -O1 -g $kind -pthread -w \
				-o "$name" "$source"
			is "$what: as ever" \
				"$(WM_DIR=$PWD/run WM_ACCESS_LOCALS=on \
					said "./$name.wma")" \
				"$(said "./$name")"
			like "$what: ends well" "$(said "./$name")" "status 0"
			for trace in run/*/rank-*.wmt.xz; do
				ok "$what: a trace is whole" "$dump" "$trace" \
					--count
			done
		done
	done
done
done_testing

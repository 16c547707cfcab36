# SPDX-License-Identifier: Apache-2.0
# Shells complete wm-run, wm-collect, wm-census, wm-config, wmcc and its other
# names: the options of their --help (scripts/completion).
. "$(dirname "$0")/../lib.sh" completion-lib
completion() { "$SRC/scripts/completion" "$1" "$BUILD/bin/$2"; }
tools="wm-run wm-collect wm-census wm-config wmcc wmc++"
mkdir -p bash zsh fish dir
touch file.c
echo "#!/bin/sh" >some-program
chmod +x some-program
for t in $tools; do
	completion bash "$t" >"bash/$t" && completion zsh "$t" >"zsh/_$t" &&
		completion fish "$t" >"fish/$t.fish"
	ok "$t: there is something for each shell" test $? = 0
	# once more, by another program, from the text that people read
	case $t in wmc*) help=--wm-help ;; *) help=--help ;; esac
	"$t" $help | grep -E '^  -' | sed 's/^  //; s/  .*//; s/ [A-Z]*$//' |
		tr -d ',' | tr -s ' ' '\n' | grep . | sort >"$t.names"
	[ "$t" = wmc++ ] || is "$t(1) has the options of $help, and no other" \
		"$(man_options "$SRC/docs/man/$t.1")" \
		"$("$t" $help | help_options)"
done
names=$(cat wm-*.names wmcc.names | wc -l)
ok "there are names ($names)" test "$names" -ge 47
like "an unknown shell" "$(completion csh wm-run 2>&1)" 'bash\|zsh\|fish'
like "a program without options" "$("$SRC/scripts/completion" bash \
	"$PWD/some-program" 2>&1)" "'.*some-program' says no usage"

# Options that the source takes are in --help, from which they are completed:
# "--trace=" is "--trace"; "--mpi=mpich" and "--mpi=ompi" are old words for
# "--mpi".
# taken NAMES FILE...: the names that these compare with
taken() {
	local names=$1
	shift
	(cd "$SRC" && grep -hoE '(strcmp|wm_starts|is_option)\(\*?(arg|argv)[^()]*, "-[^()]*"\)' \
		"$@") | grep -oE '"--?[a-z][^"]*"|"-[hV]"' | tr -d '"' |
		sed 's/=$//' | sort -u |
		grep -vFx -f "$names" -e --mpi=mpich -e --mpi=ompi
}
is "wm-run takes nothing else" \
	"$(taken wm-run.names wmcc/wm_run.c)" ""
is "wm-census takes nothing else" "$(taken wm-census.names wmcc/take.c)" ""
is "wm-config takes nothing else" \
	"$(taken wm-config.names wmcc/driver/config.c)" ""
is "wmcc takes nothing else for itself" \
	"$(taken wmcc.names wmcc/wmcc.c)" ""
is "wm-collect takes nothing else" "$(sed -n \
	'/^	case \$1 in/,/^	esac/p' "$SRC/scripts/collect/wm-collect" |
	grep -oE '^	(-[-a-zA-Z| ]+)\)' | grep -oE '\-[-a-zA-Z]+' |
	grep -vFx -f wm-collect.names -e --)" ""
: >none
n=$(taken none wmcc/wm_run.c wmcc/take.c wmcc/driver/config.c \
	wmcc/wmcc.c | wc -l)
ok "and there are such words in the source ($n)" test "$n" -ge 27

# complete SHELL: of each tool all names, and none that it has not
complete_names() { # SHELL
	for t in wm-run wm-collect wm-census wm-config; do
		case $1 in
		bash) completed_by bash "$t -" ;;
		# the value of an option follows its "="
		fish)
			for l in - -- $(grep -o '.*=' "$t.names"); do
				completed_by fish "$t $l"
			done | tr ' ' '\n' | sed 's/=$//'
			;;
		zsh) listed_by_zsh "$t -" ;;
		esac | tr ' ' '\n' | sort -u >offered
		is "$1: $t: every option, and no other" \
			"$(diff offered "$t.names")" ""
	done
}

# Completions in all shells.  zsh: the resulting line.
complete_all() { # SHELL
	complete_names "$1"
	is "$1: an option" "$(completed_by "$1" 'wm-collect --rem')" --remove
	like "$1: a folder for --from" \
		"$(completed_by "$1" 'wm-collect --from d')" '^(--from )?dir/?$'
	is "$1: wm-run: a program" "$(completed_by "$1" 'wm-run ./some-p')" \
		./some-program
	like "$1: wm-run --trace: a program" \
		"$(completed_by "$1" 'wm-run --trace xzgre')" '^(--trace )?xzgrep$'
	like "$1: and the program behind that" \
		"$(completed_by "$1" 'wm-run --trace a ./some-p')" \
		'^(--trace a )?./some-program$'
	like "$1: an argument of the program" \
		"$(completed_by "$1" 'wm-run ./some-program file')" \
		'^(./some-program )?file.c$'
	is "$1: wm-census: a file" "$(completed_by "$1" 'wm-census fil')" file.c
	like "$1: wm-config --mpi=" "$(completed_by "$1" 'wm-config --mpi=')" \
		'^(--mpi=)?abi$'
	for t in wmcc wmc++; do
		is "$1: $t: an option of its own" \
			"$(completed_by "$1" "$t --wm-h")" --wm-help
		is "$1: $t: a source" "$(completed_by "$1" "$t fil")" file.c
	done
	is "$1: no option of wm-run behind the program" \
		"$(completed_by "$1" 'wm-run ./some-program --foll')" \
		"$([ "$1" != zsh ] || echo ./some-program --foll)"
}
complete_all bash
is "bash: wmcc: each of its options" "$(completed_by bash 'wmcc -' |
	tr ' ' '\n' | diff - wmcc.names)" ""
if [ -e /usr/share/bash-completion/bash_completion ]; then
	export BASH_COMPLETION=/usr/share/bash-completion/bash_completion
	is "bash-completion: an option of gcc" \
		"$(completed_by bash 'wmcc -fsanitize=addr')" address
	is "bash-completion: beside those of wmcc" \
		"$(completed_by bash 'wmc++ -show' | tr ' ' '\n' |
			grep -Fx -f wmcc.names | paste -sd' ')" "-show -showme"
	is "bash-completion: what the program's own completion knows" \
		"$(completed_by bash 'wm-run umount --no-can')" --no-canonicalize
	unset BASH_COMPLETION
else
	skip "bash with bash-completion" "it is missing: scripts/setup"
fi
if has_shell fish; then
	complete_all fish
	is "fish: wmcc: each of its options" "$(for l in - --; do
		completed_by fish "wmcc $l"; done | tr ' ' '\n' | sort -u |
		grep -cFx -f wmcc.names)" "$(wc -l <wmcc.names)"
	is "fish: an option of gcc" \
		"$(completed_by fish 'wmcc -fomit-frame-p')" -fomit-frame-pointer
fi
if has_shell zsh; then
	complete_all zsh
	is "zsh: wmcc: each of its options" "$(for l in -show --wm; do
		listed_by_zsh "wmcc $l"; done | sort -u | grep -cFx -f wmcc.names)" "$(wc -l <wmcc.names)"
	is "zsh: an option of gcc" \
		"$(completed_by zsh 'wmcc -fsanitize=addr')" -fsanitize=address
fi
done_testing

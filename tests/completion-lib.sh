# SPDX-License-Identifier: Apache-2.0
# For tests of what completes command lines.  A test puts that where shells look
# below the working directory: bash/TOOL, zsh/_TOOL, fish/TOOL.fish.
#
# completed_by SHELL LINE: what the last word of LINE may become

# Words as readline makes them: "=" is one of its own.
completed_by_bash() { # LINE
	bash --norc -c '[ -z "${BASH_COMPLETION:-}" ] || . "$BASH_COMPLETION"
		line=$1 tool=${1%% *}
		. "bash/$tool"
		read -ra COMP_WORDS <<<"${line//=/ = }"
		[[ $line != *" " ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line
		COMP_POINT=${#line} COMP_TYPE=9 COMP_KEY=9
		spec=$(complete -p "$tool") && [[ $spec =~ -F\ ([^ ]+) ]] &&
			"${BASH_REMATCH[1]}" "$tool" "${COMP_WORDS[COMP_CWORD]}" \
				"${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
		printf "%s\n" "${COMPREPLY[@]}"' bash "$1"
}

completed_by_fish() { # LINE
	HOME=$W timeout 60 fish --no-config -c "
		set -g fish_complete_path $W/fish \$__fish_data_dir/completions
		complete -C '$1'" | cut -f1
}

# zsh completes on a terminal alone, which is its own from the prompt on.  LINE and the key tab; of more than one
# match ^D shows the list, in which no description is wanted.
zsh_line() { # LINE KEYS UNTIL
	TERM=dumb timeout 60 zsh -f -c '
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "unsetopt beep zle_bracketed_paste; bindkey -e; fpath=($PWD/zsh \$fpath)"
zpty -w z "${1%% *}() { echo RA\"N\" \$*; }; LISTMAX=999; stty columns 200"
zpty -w z "autoload -U compinit; compinit -u -D; zstyle \":completion:*\" verbose no"
zpty -w z "PS1=READ\"Y\""
zpty -r -m z line "*READY*"
zpty -w -n z "$1$2"
zpty -r -m z line "$3"
print -r -- "$line"
zpty -d z' zsh "$@" | tr -d '\r'
}

# The completed line, which is then run.
completed_by_zsh() { # LINE
	zsh_line "$1" $'\t\n' $'*RAN *\n*' | sed -n 's/.*RAN \(.*\)/\1/p' |
		tail -1
}

# The options that it offers for LINE, which ends in "-".
listed_by_zsh() { # LINE
	zsh_line "$1" $'\x04\x15echo DON""E\n' "*DONE*" |
		tr -s ' ' '\n' | grep '^-.'
}

completed_by() { # SHELL LINE
	"completed_by_$1" "$2" | sort -u | paste -sd' '
}

# has_shell SHELL: it is here; or what needs it is skipped
has_shell() {
	command -v "$1" >/dev/null && return
	skip "$1 completes" "$1 is missing: scripts/setup"
	return 1
}

# The options in --help, on stdin, and in the headings of a manual page, each as
# "--name VALUE"; operands of reports are none.
help_options() {
	sed -n 's/^  \(-.*\)/\1/p' | sed 's/  .*//' | sort -u
}
man_options() { # FILE
	awk '/^\.T[PQ]/ { heading = 1; next }
		heading && sub(/^\.B[IR]* /, "") {
			gsub(/\\f./, ""); gsub(/\\-/, "-")
			n = split($0, part, "\"")
			line = ""
			for (i = 1; i <= n; i++) {
				gsub(/ /, i % 2 ? "" : " ", part[i])
				line = line part[i]
			}
			if (line ~ /^-/)
				print line
		}
		{ heading = 0 }' "$1" |
		sed -E 's/^(--(compare|history|model)) .*/\1/' | sort -u
}

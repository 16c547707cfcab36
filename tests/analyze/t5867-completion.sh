# SPDX-License-Identifier: Apache-2.0
# Shells complete the command line of wm-analyze, from its own table of options.
. "$(dirname "$0")/../lib.sh"
like "a shell that it does not know" "$(wm-analyze --completion csh 2>&1)" \
	'--completion csh: not bash, zsh or fish'
mkdir -p bash zsh fish
wm-analyze --completion bash >bash/wm-analyze
wm-analyze --completion zsh >zsh/_wm-analyze
wm-analyze --completion fish >fish/wm-analyze.fish
# every name of --help, which is of the same table
wm-analyze --help | grep -oE '^  -[-a-zA-Z]+(, --[-a-z]+)?' | tr -d ',' |
	tr -s ' ' '\n' | grep . | sort >names
ok "there are names ($(wc -l <names))" test "$(wc -l <names)" -gt 50
touch file.wm

# in_bash WORD...: what the last word becomes
in_bash() {
	bash --norc -c '. bash/wm-analyze; COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1)); _wm_analyze; printf "%s\n" "${COMPREPLY[@]}"' \
		bash wm-analyze "$@" | sort | paste -sd' '
}
is "bash: a report" "$(in_bash --imb)" --imbalance
is "bash: words of a value" "$(in_bash --format "")" "csv json markdown text"
is "bash: formats of --export" "$(in_bash --export sp)" speedscope
is "bash: a rank" "$(in_bash --rank m)" "max min"
is "bash: runs" "$(in_bash fi)" "file.wm fish"
is "bash: nothing of a number" "$(in_bash -j "")" ""
is "bash: every name of --help" \
	"$(in_bash - | tr ' ' '\n' | grep -vFx -f - names)" ""

if command -v fish >/dev/null; then
	in_fish() {
		HOME=$W fish --no-config -c "source fish/wm-analyze.fish
			complete -C '$1'" | cut -f1 | sort | paste -sd' '
	}
	is "fish: a report" "$(in_fish 'wm-analyze --imb')" --imbalance
	is "fish: words of a value" "$(in_fish 'wm-analyze --format ')" \
		"csv json markdown text"
	is "fish: formats of --export" "$(in_fish 'wm-analyze --export sp')" \
		speedscope
	is "fish: runs" "$(in_fish 'wm-analyze fil')" file.wm
	is "fish: every name of --help" "$(in_fish 'wm-analyze -' | tr ' ' '\n' |
		cat - <(in_fish 'wm-analyze --' | tr ' ' '\n') |
		grep -vFx -f - names)" ""
else
	skip "fish completes" "fish is missing: scripts/setup"
fi

# zsh completes on a terminal alone: what the line has become is what it runs
if command -v zsh >/dev/null; then
	in_zsh() {
		TERM=dumb timeout 60 zsh -f -c '
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; unsetopt beep zle_bracketed_paste; bindkey -e; fpath=($PWD/zsh \$fpath)"
zpty -w z "wm-analyze() { echo RA\"N\" \$*; }"
zpty -w z "autoload -U compinit; compinit -u -D; echo READ\"Y\""
zpty -r -m z line "*READY*"
zpty -w -n z "$1"$'"'\t\n'"'
zpty -r -m z line $'"'*RAN *\n*'"'
print -r -- "$line"
zpty -d z' zsh "$1" | sed -n 's/\r//g; s/.*RAN \(.*\)/\1/p' | tail -1
	}
	is "zsh: a report" "$(in_zsh 'wm-analyze --imb')" --imbalance
	is "zsh: a format" "$(in_zsh 'wm-analyze --format mark')" "--format markdown"
else
	skip "zsh completes" "zsh is missing: scripts/setup"
fi
done_testing

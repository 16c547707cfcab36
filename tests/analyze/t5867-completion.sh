# SPDX-License-Identifier: Apache-2.0
# Shells complete the command line of wm-analyze, and the manual page describes
# it, both as --help has it.
. "$(dirname "$0")/../lib.sh" completion-lib
mkdir -p bash zsh fish
for shell in bash/wm-analyze zsh/_wm-analyze fish/wm-analyze.fish; do
	"$SRC/scripts/completion" ${shell%/*} "$BUILD/bin/wm-analyze" >$shell
done
wm-analyze --help all | grep -oE '^  -[-a-zA-Z]+(, --[-a-z]+)?' | tr -d ',' |
	tr -s ' ' '\n' | grep . | sort >names
ok "there are names ($(wc -l <names))" test "$(wc -l <names)" -gt 50
is "wm-analyze(1) has the options and values of --help, and no other" \
	"$(man_options "$SRC/docs/man/wm-analyze.1")" \
	"$(wm-analyze --help all | help_options)"
touch file.wm

in_bash() { completed_by bash "wm-analyze $*"; }
in_fish() { completed_by fish "wm-analyze $*"; }
in_zsh() { completed_by zsh "wm-analyze $*"; }
is "bash: a report" "$(in_bash --imb)" --imbalance
is "bash: words of a value" "$(in_bash --format "")" "csv json markdown text"
is "bash: formats of --export" "$(in_bash --export sp)" speedscope
is "bash: a rank" "$(in_bash --rank m)" "max min"
is "bash: runs" "$(in_bash fi)" "file.wm fish"
is "bash: nothing of a number" "$(in_bash -j "")" ""
is "bash: every name of --help" \
	"$(in_bash - | tr ' ' '\n' | grep -vFx -f - names)" ""

if has_shell fish; then
	is "fish: a report" "$(in_fish '--imb')" --imbalance
	is "fish: words of a value" "$(in_fish '--format ')" \
		"csv json markdown text"
	is "fish: formats of --export" "$(in_fish '--export sp')" \
		speedscope
	is "fish: runs" "$(in_fish 'fil')" file.wm
	is "fish: every name of --help" "$(in_fish '-' | tr ' ' '\n' |
		cat - <(in_fish 'wm-analyze --' | tr ' ' '\n') |
		grep -vFx -f - names)" ""
fi

if has_shell zsh; then
	is "zsh: a report" "$(in_zsh '--imb')" --imbalance
	is "zsh: a format" "$(in_zsh '--format mark')" "--format markdown"
	is "zsh: every name of --help" "$(listed_by_zsh "wm-analyze -" |
		grep -vFx -f - names)" ""
fi
done_testing

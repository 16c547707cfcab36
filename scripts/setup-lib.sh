# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Functions for scripts/setup and the scripts that build one cached library:
# messages, the cache directory, Debian source archives, locks, build steps.
# Sourced, never run.  Messages are on stderr; stdout is for answers.

wm_prog=${0##*/}
# Settings of a make above us are not for the makes of other sources.
unset MAKEFLAGS MFLAGS MAKELEVEL

wm_scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

say()
{
	printf '%s: %s\n' "$wm_prog" "$*" >&2
}

die()
{
	say "error: $*"
	exit 1
}

# The caller's HOME may be unset, in CI jobs for example.
wm_home()
{
	local home=${HOME:-}

	[ -n "$home" ] || home=$(getent passwd "$(id -u)" | cut -d: -f6)
	[ -n "$home" ] || die "HOME is not set: set HOME or WM_CACHE"
	printf '%s\n' "$home"
}

# The user's folder of caches; XDG_CACHE_HOME counts if it is absolute.
wm_cache_home()
{
	case ${XDG_CACHE_HOME:-} in
	/*) printf '%s\n' "$XDG_CACHE_HOME" ;;
	*) printf '%s\n' "$(wm_home)/.cache" ;;
	esac
}

wm_cache=${WM_CACHE:-$(wm_cache_home)/wmtools}
case $wm_cache in
/*) ;;
*) wm_cache=$PWD/$wm_cache ;;
esac

# configure scripts and compiler wrappers do not quote their prefix.
case $wm_cache in
*[[:space:]]*)
	die "the cache directory '$wm_cache' has a blank in its name:" \
	    "set WM_CACHE to a directory without" ;;
esac

# shellcheck disable=SC2034 # for the scripts that read this one
wm_jobs=$(nproc 2>/dev/null || echo 2)

# The mark of a finished install: FILE below the prefix, and a file with the
# recipe, which is written last.
wm_marker_of()
{
	case $1 in
	libunwind) echo lib/libunwind.a ;;
	liblzma) echo lib/liblzma.a ;;
	mpich | openmpi) echo bin/mpicc ;;
	sqlite) echo lib/libsqlite3.a ;;
	libxml2) echo lib/libxml2.a ;;
	*) die "no such component '$1': libunwind, liblzma, mpich, openmpi," \
		"sqlite or libxml2" ;;
	esac
}

wm_glob_of()
{
	case $1 in
	mpich | openmpi | sqlite | libxml2) printf '%s\n' "$wm_cache/$1"-* ;;
	*) printf '%s\n' "$wm_cache/$1"-*-pic ;;
	esac
}

# wm_own FILE...: all exist, and belong to this user or root.  A cache that
# another user can change (HOME kept by sudo, WM_CACHE shared) must not be built
# into programs.
wm_own()
{
	local file owner

	for file; do
		owner=$(stat -L -c %u -- "$file" 2>/dev/null) || return 1
		[ "$owner" = 0 ] || [ "$owner" = "$(id -u)" ] || {
			say "not used, as it belongs to another user: '$file'"
			return 1
		}
	done
}

# wm_prefix COMPONENT [RECIPE]: print the newest finished install, by RECIPE if
# it is given; status 1 if there is none.
wm_prefix()
{
	local marker dir best=

	marker=$(wm_marker_of "$1")
	while IFS= read -r dir; do
		[ -e "$dir/$marker" ] && [ -e "$dir/.recipe" ] || continue
		wm_own "$wm_cache" "$dir" "$dir/$marker" "$dir/.recipe" ||
			continue
		if [ $# -gt 1 ] && [ "$(cat "$dir/.recipe")" != "$2" ]; then
			continue
		fi
		best=$dir
	done <<<"$(wm_glob_of "$1" | sort -V)" # no /dev/fd: /proc may be missing
	[ -n "$best" ] && printf '%s\n' "$best"
}

# wm_lock NAME: hold a lock until this process ends, so that two set-ups do not
# build the same library at one time in one place.
wm_lock()
{
	mkdir -p "$wm_cache/lock" ||
		die "cannot write to '$wm_cache': set WM_CACHE to a directory" \
		    "that can be written"
	wm_own "$wm_cache" || die "set WM_CACHE to a directory of your own"
	exec 9>"$wm_cache/lock/$1"
	if ! flock -n 9; then
		say "waiting for another set-up that builds $1"
		flock 9
	fi
}

# ---------------------------------------------------------------------------
# Debian source archives
#
# The machine's own package sources usually list only binary packages.  We leave
# them alone and derive a private list, with "deb-src" in the place of "deb",
# from the same mirrors and keys, used with private index files.

# Print a list of Debian source archives, in one of apt's two formats: $1 is
# "list" or "sources", the rest are the files to read.
wm_deb_src()
{
	local format=$1 suites

	shift
	suites=$(. /etc/os-release 2>/dev/null
		printf '%s\n' "${VERSION_CODENAME:-stable}")
	suites="^($suites|stable|oldstable|oldoldstable|testing)"
	suites="$suites(-updates|-security|-proposed-updates)?(/updates)?\$"
	[ $# -gt 0 ] || return 0
	if [ "$format" = list ]; then
		wm_deb_src_list "$suites" "$@"
	else
		wm_deb_src_deb822 "$suites" "$@"
	fi
}

# deb [option=value ...] URI SUITE COMPONENT...
wm_deb_src_list()
{
	local suites=$1

	shift
	awk -v suites="$suites" '
	{ sub(/#.*/, "") }
	$1 != "deb" { next }
	{
		line = $0
		sub(/^[ \t]*deb[ \t]+/, "", line)
		opts = ""
		if (match(line, /^\[[^]]*\][ \t]*/)) {
			opts = substr(line, 1, RLENGTH)
			sub(/[ \t]+$/, "", opts)
			opts = opts " "
			line = substr(line, RLENGTH + 1)
		}
		n = split(line, w, /[ \t]+/)
		if (w[1] ~ /^cdrom:/ || w[2] !~ suites)
			next
		for (i = 3; i <= n; i++)
			if (w[i] == "main") {
				print "deb-src " opts w[1] " " w[2] " main"
				break
			}
	}' "$@"
}

# Stanzas of "Field: value" with continuation lines.
wm_deb_src_deb822()
{
	local suites=$1

	shift
	awk -v suites="$suites" '
	function flush(   i, n, w, keep) {
		n = split(field["suites"], w, /[ \t\n]+/)
		keep = ""
		for (i = 1; i <= n; i++)
			if (w[i] ~ suites)
				keep = keep " " w[i]
		if ((" " field["types"] " ") ~ /[ \t]deb[ \t]/ &&
		    (" " field["components"] " ") ~ /[ \t\n]main[ \t\n]/ &&
		    tolower(field["enabled"]) !~ /no|false|off|0/ &&
		    field["uris"] !~ /cdrom:/ && keep != "") {
			print "Types: deb-src"
			print "URIs: " field["uris"]
			print "Suites:" keep
			print "Components: main"
			if (field["signed-by"] != "")
				print "Signed-By: " field["signed-by"]
			if (field["trusted"] != "")
				print "Trusted: " field["trusted"]
			print ""
		}
		split("", field)
		name = ""
	}
	FNR == 1 && NR != 1 { flush() }
	/^#/ { next }
	/^[ \t]*$/ { flush(); next }
	/^[ \t]/ {
		field[name] = field[name] "\n" $0
		next
	}
	{
		name = tolower(substr($0, 1, index($0, ":") - 1))
		value = substr($0, index($0, ":") + 1)
		sub(/^[ \t]+/, "", value)
		sub(/[ \t]+$/, "", value)
		field[name] = value
	}
	END { flush() }' "$@"
}

wm_apt()
{
	local dir=$wm_cache/apt

	apt-get -q -o Dir::Etc::SourceList=/dev/null \
		-o Dir::Etc::SourceParts="$dir/sources" \
		-o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir/cache" \
		-o APT::Sandbox::User="$(id -un)" "$@"
}

wm_apt_prepare()
{
	local dir=$wm_cache/apt list parts

	command -v apt-get >/dev/null ||
		die "apt-get is missing: source archives are fetched from" \
		    "Debian; run this on Debian 12"
	mkdir -p "$dir/sources" "$dir/lists/partial" \
		"$dir/cache/archives/partial" "$wm_cache/src"
	eval "$(apt-config shell list Dir::Etc::SourceList/f \
		parts Dir::Etc::SourceParts/d)"
	list=${list:-/etc/apt/sources.list}
	parts=${parts:-/etc/apt/sources.list.d}
	(
		shopt -s nullglob
		files=("${parts%/}"/*.list)
		[ ! -r "$list" ] || files+=("$list")
		wm_deb_src list "${files[@]}" >"$dir/sources/wmtools.list"
		files=("${parts%/}"/*.sources)
		wm_deb_src sources "${files[@]}" \
			>"$dir/sources/wmtools.sources"
	)
	if ! grep -q . "$dir"/sources/*; then
		die "no Debian archive found in '$list' or '$parts': add a" \
		    "'deb' line for this release's 'main'"
	fi
}

# wm_source PACKAGE: print the path of the upstream archive of Debian's source
# package, which is fetched if it is not in the cache.  apt checks it against the
# signed index.  Debian's own packaging archive is not needed: its patches do
# not change the parts that we build (other processors, threads of the decoder,
# manual pages), and regenerated build files would need autoconf.
wm_source()
{
	local pkg=$1 dir=$wm_cache/src log=$wm_cache/log/apt-source.log tmp

	if tmp=$(wm_source_released "$pkg"); then
		wm_source_check "$tmp"
		printf '%s\n' "$tmp"
		return 0
	fi
	wm_source_cached "$pkg" && return 0
	say "fetching Debian's source of $pkg"
	mkdir -p "$wm_cache/log" "$wm_cache/lock"
	(
		flock 8
		wm_apt_prepare
		if ! wm_apt update >"$log" 2>&1; then
			tail -n 5 "$log" >&2
			die "apt could not read the source index of the" \
			    "configured Debian mirror (log: $log)"
		fi
		tmp=$(mktemp -d "$dir/.get.XXXXXX")
		trap 'rm -rf "$tmp"' EXIT
		cd "$tmp"
		if ! wm_apt source --download-only --tar-only --only-source \
				"$pkg" >>"$log" 2>&1; then
			tail -n 5 "$log" >&2
			die "apt could not fetch the source of $pkg (log: $log)"
		fi
		mv "$pkg"_*.orig.tar.* "$dir/"
	) 8>"$wm_cache/lock/apt" || exit 1
	wm_source_cached "$pkg" || die "no archive of $pkg in '$dir'"
}

# The archive in a release.
wm_source_released()
{
	local file

	for file in "$wm_scripts/../third_party/$1"_*.orig.tar.?z*; do
		[ -f "$file" ] && printf '%s\n' "$file" && return
	done
}

# wm_source_check FILE: it must be in scripts/third-party.sha256
wm_source_check()
{
	local sum

	sum=$(sha256sum <"$1")
	grep -qxF "${sum%% *}  ${1##*/}" "$wm_scripts/third-party.sha256" ||
		die "'$1' is not in scripts/third-party.sha256:" \
		    "its SHA-256 is ${sum%% *}"
}

wm_source_cached()
{
	local file best=

	while IFS= read -r file; do
		[ ! -f "$file" ] || ! wm_own "$wm_cache" "${file%/*}" "$file" ||
			best=$file
	done <<<"$(printf '%s\n' "$wm_cache/src/$1"_*.orig.tar.?z* |
		grep -v '\.asc$' | sort -V)"
	[ -n "$best" ] && printf '%s\n' "$best"
}

# mpich_4.0.2.orig.tar.xz -> 4.0.2
wm_source_version()
{
	local v=${1##*/}

	v=${v#*_}
	printf '%s\n' "${v%.orig.tar.*}"
}

# ---------------------------------------------------------------------------
# Builds
#
# wm_build_begin sets wm_log, wm_work (the unpacked source) and wm_stage;
# steps write to the log; wm_build_end moves the staged files to their place
# in one rename.  An interrupted build leaves nothing that wm_prefix accepts.

wm_build_begin()
{
	local name=$1 archive=$2

	# arguments of our own make (INSTALL=...) are not for theirs
	unset MAKEFLAGS MFLAGS MAKEOVERRIDES INSTALL
	wm_log=$wm_cache/log/$name.log
	mkdir -p "$wm_cache/log"
	: >"$wm_log"
	rm -rf "$wm_cache/.stage-$name".*
	wm_stage=$(mktemp -d "$wm_cache/.stage-$name.XXXXXX")
	wm_tmp=$(mktemp -d "${TMPDIR:-/tmp}/wmtools-$name.XXXXXX")
	trap 'rm -rf "$wm_tmp" "$wm_stage"' EXIT
	trap 'exit 130' INT TERM HUP
	wm_step unpack mkdir "$wm_tmp/src"
	wm_step unpack tar -xf "$archive" -C "$wm_tmp/src" --strip-components=1
	wm_work=$wm_tmp/src
	cd "$wm_work" || exit 1
}

# wm_step NAME COMMAND...
wm_step()
{
	local what=$1

	shift
	printf '+ %s\n' "$*" >>"$wm_log"
	if ! "$@" >>"$wm_log" 2>&1 </dev/null; then
		tail -n 15 "$wm_log" >&2
		die "'$what' failed: the log is '$wm_log'"
	fi
}

# wm_build_end PREFIX: move the files to PREFIX, without the recipe yet.
wm_build_end()
{
	local prefix=$1 old

	cd /
	if [ -e "$prefix" ]; then
		old=$wm_stage/old
		mv "$prefix" "$old"
	fi
	mv "$wm_stage$prefix" "$prefix"
}

# wm_finish PREFIX RECIPE: mark the install as finished, and print its prefix.
wm_finish()
{
	printf '%s\n' "$2" >"$1/.recipe"
	printf '%s\n' "$1"
}

# wm_pic_check ARCHIVE: fail here, not in a user's link, if it has a fault.
wm_pic_check()
{
	local bad

	bad=$(wm_pic_fault "$1")
	[ -z "$bad" ] || die "'$1' $bad"
}

# wm_pic_fault ARCHIVE: why its objects cannot be linked into every program and
# run before anything else in it; or nothing.  The words are for "ARCHIVE ...".
wm_pic_fault()
{
	local archive=$1 bad

	bad=$(readelf -sW "$archive" 2>/dev/null | awk '$4 == "TLS"' |
		head -n 1) || :
	[ -z "$bad" ] || { echo "has thread-local symbols: $bad"; return; }
	bad=$(readelf -rW "$archive" 2>/dev/null | awk '
		/^Relocation section/ { debug = /\.debug/ }
		/R_X86_64_(32S? |TPOFF|DTP|TLS|GOTTPOFF)/ && !debug' |
		head -n 1) || :
	[ -z "$bad" ] || { echo "is not position independent: $bad"; return; }
	# the runtime works before any constructor of the program has run
	bad=$(readelf -SW "$archive" 2>/dev/null |
		grep -E '\.(init_array|ctors)' | head -n 1) || :
	[ -z "$bad" ] || { echo "has constructors: $bad"; return; }
	bad=$(nm "$archive" 2>/dev/null |
		grep -E ' ([Uu] .*(_chk|assert|printf|pthread)|i )' |
		head -n 1) || :
	[ -z "$bad" ] || echo "has unwanted references: $bad"
}

# wm_need TOOL...: tools that a build needs.
wm_need()
{
	local tool missing=

	for tool; do
		command -v "$tool" >/dev/null || missing="$missing $tool"
	done
	[ -z "$missing" ] || die "missing:$missing; run scripts/setup first"
}

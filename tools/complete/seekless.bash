# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Completion of seekless for bash.  It offers what the command's own --help says: subcommands, the
# options of each and the values that they take; then processes, programs and files.

# The usage and, of each option's line, the words before the description.
_seekless_synopsis() { # COMMAND SUBCOMMAND
	"$1" "$2" --help 2>/dev/null | sed -nE '/^usage:/,/^$/p; s/^ +(-[^ ].*)/\1/; s/^(-.*[^ ])  .*/\1/; /^-/p'
}

# "fstat|lseek|auto" of "--size fstat|lseek|auto"; nothing for an option that takes no value.
_seekless_value() { # OPTION SYNOPSIS
	sed -nE "s/(^|.*[][| ,])$1[ =]([^], ]+).*/\2/p" <<<"$2" | head -n 1
}

# The processes that have the library; for `check`, all.
_seekless_pids() { # SUBCOMMAND
	local file
	if [ "$1" = check ]; then
		printf '%s\n' /proc/[0-9]*
	else
		grep -ls '/libseekless[^/]*\.so' /proc/[0-9]*/maps
	fi | while read -r file; do
		file=${file#/proc/}
		echo "${file%/maps}"
	done
}

# Offers what VALUE, a word of the help, stands for.
_seekless_offer() { # SUBCOMMAND VALUE OPTION
	local words='' kind
	local -a found=()
	while read -r kind; do
		case $kind in
		*PID*) words+=" $(_seekless_pids "$1")" ;;
		PROGRAM*) mapfile -t found < <(compgen -c -- "$cur"; compgen -d -- "$cur") ;;
		FILE* | PATH*) mapfile -t found < <(compgen -f -- "$cur") ;;
		FOLDER* | DIR*) mapfile -t found < <(compgen -d -- "$cur") ;;
		NAME*) if [ "$3" = --signal ]; then
			words+=" $(compgen -A signal SIG | sed -n 's/^SIG//; /^[A-Z]/p')"
		       else
			mapfile -t found < <(compgen -c -- "$cur")
		       fi ;;
		[a-z0-9]*) words+=" $kind" ;;
		esac
	done < <(tr '|' '\n' <<<"$2")
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"; printf '%s\n' "${found[@]}" | sed '/^$/d' | sort -u)
	[ ${#found[@]} = 0 ] || compopt -o filenames 2>/dev/null
}

_seekless() {
	local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[0]} sub=${COMP_WORDS[1]}
	local synopsis word has_program='' at=2
	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "--help --version
			$("$command" --help 2>/dev/null | sed -nE 's/^  ([a-z]+) .*/\1/p')" -- "$cur")
		return
	fi
	synopsis=$(_seekless_synopsis "$command" "$sub")

	# Over the options before the word; bash makes three words of --size=auto.
	[[ $synopsis != *'-- PROGRAM'* ]] || has_program=1
	while [ $at -lt "$COMP_CWORD" ]; do
		word=${COMP_WORDS[at]}
		[[ $word != -- && ($word == -* || -z $has_program) ]] || break
		at=$((at + 1))
		[ -n "$(_seekless_value "$word" "$synopsis")" ] || continue
		[ "${COMP_WORDS[at]}" != = ] || at=$((at + 1))
		if [ $at -gt "$COMP_CWORD" ] || [ $at = "$COMP_CWORD" ]; then
			[ $at = "$COMP_CWORD" ] || cur=''
			_seekless_offer "$sub" "$(_seekless_value "$word" "$synopsis")" "$word"
			return
		fi
		at=$((at + 1))
	done
	if [ $at = "$COMP_CWORD" ] && [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(grep -oE '(^|[][| ,])--?[a-z][a-z-]*' <<<"$synopsis" |
			tr -d '][| ,') --help $(grep -oE -- '-- ' <<<"$synopsis")" -- "$cur")
		return
	fi
	[ "${COMP_WORDS[at]}" != -- ] || [ $at = "$COMP_CWORD" ] || at=$((at + 1))
	if [ $at = "$COMP_CWORD" ]; then
		_seekless_offer "$sub" "$(sed -nE '1s/^usage: [^ ]+ [a-z]+//p' <<<"$synopsis" |
			grep -oE '(PROGRAM|PID)' | tr '\n' '|')" ''
	elif [ -z $has_program ]; then
		return
	elif declare -F _command_offset >/dev/null; then
		_command_offset $at # what the program's own completion offers
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		compopt -o filenames 2>/dev/null
	fi
}
complete -F _seekless seekless

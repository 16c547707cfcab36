# SPDX-License-Identifier: Apache-2.0
# Variables as assembler can make them: two names for one, overlapping,
# without a size, beyond the end of the section.  Never run.
# Used by t4020.
	.bss
	.globl _start, twice, _twice, big, small, beyond, nothing, after
	.macro object name bytes
	.type \name, @object
	.size \name, \bytes
	.endm
	.zero 8
twice: _twice:
	object twice 16
	object _twice 16
	.zero 16
big:	object big 64
small:	object small 8
	.zero 8
within:	object within 8
	.zero 24
across:	object across 64
	.zero 32
nothing: object nothing 0
	.zero 32
	.zero 40
after:	object after 4
	.zero 4
beyond:	object beyond 4096
	.zero 12
	.text
_start: hlt
	.section .note.GNU-stack

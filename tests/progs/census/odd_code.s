# SPDX-License-Identifier: Apache-2.0
# Functions as assembler can make them: one within another, two names for one,
# one without a size.  Allocates nothing.
# Used by t4010.
	.text
	.globl outer, inner, alias, _alias, main, unsized
	.type outer, @function
	.type inner, @function
	.type alias, @function
	.type _alias, @function
	.type main, @function
	.type unsized, @function
outer:	.zero 16, 0x90
inner:	.zero 16, 0x90
	.size inner, . - inner
	.zero 16, 0x90
	.size outer, . - outer
unsized:
	.zero 16, 0x90
_alias:
alias:	.zero 16, 0x90
	.size alias, . - alias
	.size _alias, . - _alias
main:	xorl %eax, %eax
	ret
	.size main, . - main

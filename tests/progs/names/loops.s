# SPDX-License-Identifier: Apache-2.0
# Debug information that no compiler writes: t5310.  Variables whose types are
# made of themselves, have no end, or are larger than memory.  Allocates
# nothing.
	.text
	.globl main
main:	xorl %eax, %eax
	ret
	.data
	.macro variable name
	.globl \name
	.type \name, @object
	.size \name, 64
\name:	.zero 64
	.endm
	variable alias
	variable self
	variable array
	variable endless
	variable wide
	variable nested
	variable lost

	.section .debug_abbrev,"",@progbits
	.macro abbrev number, tag, children
	.uleb128 \number, \tag
	.byte \children
	.endm
	abbrev 1, 0x11, 1 # compile unit
	.uleb128 0x13, 0x0b, 0, 0
	abbrev 2, 0x34, 0 # variable: name, type, location
	.uleb128 3, 8, 0x49, 0x13, 2, 0x18, 0, 0
	abbrev 3, 0x16, 0 # typedef: type
	.uleb128 0x49, 0x13, 0, 0
	abbrev 4, 0x13, 1 # structure: bytes
	.uleb128 0x0b, 0x0b, 0, 0
	abbrev 5, 0x0d, 0 # member: name, type, place
	.uleb128 3, 8, 0x49, 0x13, 0x38, 0x0b, 0, 0
	abbrev 6, 1, 1 # array: type
	.uleb128 0x49, 0x13, 0, 0
	abbrev 7, 0x21, 0 # subrange: count
	.uleb128 0x37, 7, 0, 0
	abbrev 8, 0x0d, 0 # member: sibling, name, type, place
	.uleb128 1, 0x13, 3, 8, 0x49, 0x13, 0x38, 0x0b, 0, 0
	abbrev 9, 0x2e, 1 # subprogram
	.uleb128 0, 0
	.byte 0

	.section .debug_info,"",@progbits
start:	.long end - from
from:	.value 4
	.long .debug_abbrev
	.byte 8
	.uleb128 1
	.byte 12
	.macro die name, type
	.uleb128 2
	.string "\name"
	.long \type - start
	.byte 9, 3
	.quad \name
	.endm
	die alias, alias_type
	die self, self_type
	die array, array_type
	die endless, endless_type
	die wide, wide_type
	die nested, nested_type
	die lost, 0x7fffffff + start
alias_type:
	.uleb128 3
	.long alias_type - start
self_type:
	.uleb128 4
	.byte 64
	.uleb128 5
	.string "me"
	.long self_type - start
	.byte 0
	.byte 0
array_type:
	.uleb128 6
	.long array_type - start
	.uleb128 7
	.quad 2
	.byte 0
endless_type:
	.uleb128 4
	.byte 64
again:	.uleb128 8
	.long again - start
	.string "again"
	.long alias_type - start
	.byte 8
	.byte 0
wide_type:
	.uleb128 6
	.long self_type - start
	.uleb128 7
	.quad 0x7fffffffffffffff
	.uleb128 7
	.quad 0x7fffffffffffffff
	.byte 0
nested_type:
	.uleb128 6
	.long wide_type - start
	.uleb128 7
	.quad 3
	.byte 0
	# procedures in procedures, deeper than any compiler goes
	.rept 5000
	.uleb128 9
	.endr
	die lost, alias_type
	.zero 5001
	.byte 0
end:
	.section .note.GNU-stack,"",@progbits

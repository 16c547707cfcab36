# SPDX-License-Identifier: Apache-2.0
# library(): malloc of 12345 bytes, kept; its debug information takes names
# from a file "common" that is not there.
# Used by t5950.
	.text
	.globl library
	.type library, @function
library:
.Lstart: sub $8, %rsp
	mov $12345, %edi
	call malloc@PLT
	add $8, %rsp
	ret
.Lend:	.size library, .Lend-library
	.section .debug_abbrev,"",@progbits
	# a unit and a function: name (GNU_strp_alt), low_pc, high_pc
	.byte 1, 0x11, 1, 3, 0xa1, 0x3e, 0x11, 1, 0x12, 7, 0, 0
	.byte 2, 0x2e, 1, 3, 0xa1, 0x3e, 0x11, 1, 0x12, 7, 0, 0
	# what is inlined: origin (GNU_ref_alt), low_pc, high_pc
	.byte 3, 0x1d, 0, 0x31, 0xa0, 0x3e, 0x11, 1, 0x12, 7, 0, 0, 0
	.section .debug_info,"",@progbits
	.long .Lunit_end - .Lunit
.Lunit:	.value 4
	.long .debug_abbrev
	.byte 8
	.byte 1
	.long 1
	.quad .Lstart, .Lend - .Lstart
	.byte 2
	.long 1
	.quad .Lstart, .Lend - .Lstart
	.byte 3
	.long 32
	.quad .Lstart, .Lend - .Lstart
	.byte 0, 0
.Lunit_end:
	.section .gnu_debugaltlink,"",@progbits
	.string "common"
	.fill 20, 1, 0x55
	.section .note.GNU-stack,"",@progbits

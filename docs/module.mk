# SPDX-License-Identifier: Apache-2.0
MAN += $(wildcard docs/man/*.1 docs/man/*.3 docs/man/*.7)

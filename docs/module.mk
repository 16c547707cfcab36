# SPDX-License-Identifier: Apache-2.0
DOCS := README.md NEWS LICENSE CONTRIBUTING.md SECURITY.md CITATION.cff \
	$(wildcard docs/*.md docs/images/* docs/tutorial/*)
MAN += $(wildcard docs/man/*.1 docs/man/*.3 docs/man/*.7)

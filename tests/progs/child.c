/* Allocates 5000 bytes, forks; the child allocates and frees 100,000 blocks
 * of 77 bytes and ends by exit; then vfork and exec of /bin/true.  The parent
 * allocates 6000 bytes at last.  Only the parent's two blocks are its own. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile p;

int main(void)
{
	int status;
	pid_t pid;

	p = malloc(5000);
	pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 100000; i++) {
			void *volatile q = malloc(77);

			free(q);
		}
		exit(7);
	}
	if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 7)
		return 1;
	pid = vfork();
	if (pid == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(9);
	}
	if (waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 0)
		return 2;
	p = malloc(6000);
	return 0;
}

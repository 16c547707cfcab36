/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1000 bytes, kept, and three threads that malloc and free; main
 * forks 40 children, each of which frees the block and has 300 calloc of its
 * own, freed.
 * Used by t3040. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int stop;
static void *work(void *arg)
{
	while (!stop)
		for (size_t i = 0; i < 100; i++) {
			void *volatile p = malloc(i);
			free(p);
		}
	return arg;
}
int main(void)
{
	pthread_t t[3];
	void *volatile mine = malloc(1000);
	int bad = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 40; i++) {
		int status;
		pid_t pid = fork();

		if (pid == 0) {
			free(mine);
			for (size_t k = 0; k < 300; k++) {
				void *volatile p = calloc(1, k);
				free(p);
			}
			exit(0);
		}
		waitpid(pid, &status, 0);
		bad += status != 0;
	}
	stop = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return bad != 0;
}

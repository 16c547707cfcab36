/* Allocates nothing itself. */
int main(void)
{
	return 0;
}

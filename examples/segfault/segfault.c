/* Follows a list to its end, and one step further. */
#include <stdio.h>

struct item {
	int value;
	struct item *next;
};

static int last_value(const struct item *list)
{
	while (list->value >= 0)
		list = list->next;
	return list->value;
}

int main(void)
{
	struct item second = {2, NULL}, first = {1, &second};
	printf("%d\n", last_value(&first));
	return 0;
}

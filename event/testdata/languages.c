/* The header as C99 and as C++17, without anything else before it. */
#include "wherry_event.h"

int main(void) {
	int result = wherry_event_post(NULL, "x", 1);
	if (result == 0) wherry_event_thread(NULL);
	return result == WHERRY_EVENT_BAD_QUEUE && wherry_event_post_tag(NULL, 1, "x", 1) == result &&
		wherry_event_post_nowake(NULL, 1, "x", 1) == result && wherry_event_error(result)[0] == 'n' ? 0 : 1;
}

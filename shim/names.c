/* SPDX-License-Identifier: MIT */
/* Floor 1: the lists of counters and reasons, as text in one piece. */
#include "names.h"

const struct names names = {
#define COUNTER(name, key, words) key, words,
#include "counters.def"
#undef COUNTER
#define REASON(name, words) #name, words,
#include "reasons.def"
#undef REASON
};

const struct named counter_names[] = {
#define COUNTER(name, key, words)                                                                  \
	{offsetof(struct names, name##_key), offsetof(struct names, name##_words)},
#include "counters.def"
#undef COUNTER
};

const struct named reason_names[] = {
#define REASON(name, words)                                                                        \
	{offsetof(struct names, why_##name##_key), offsetof(struct names, why_##name##_words)},
#include "reasons.def"
#undef REASON
};

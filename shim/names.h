/* SPDX-License-Identifier: MIT */
/* Floor 1: what is counted, and why, in words: keys for machines, sentences for people. */
#ifndef NAMES_H
#define NAMES_H

#include "ground.h"

/* One after the other, each ended by its 0 byte: key and words of each counter, of each reason. */
struct names {
#define COUNTER(name, key, words) char name##_key[sizeof(key)], name##_words[sizeof(words)];
#include "counters.def"
#undef COUNTER
#define REASON(name, words) char why_##name##_key[sizeof(#name)], why_##name##_words[sizeof(words)];
#include "reasons.def"
#undef REASON
};
extern const struct names names;

struct named {
	uint16_t key, words; /* where in names */
};
extern const struct named counter_names[], reason_names[];

static inline const char *name_at(uint16_t at)
{
	return (const char *)&names + at;
}

#endif

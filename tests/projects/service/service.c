/* A service as a benchmark: loads an index, answers requests, waits for a disk, and says how it went. Only what lies
 * between loading and the end is to be measured. */
#include "firebreak.h"
#include "knobs.h"

#include <stdint.h>
#include <time.h>

#define ENTRIES 4096
#define STEPS 20000000

static uint32_t entries[ENTRIES];

/* A few hundredths of a second of work that no compiler can leave out. */
static __attribute__((noinline)) uint32_t churn(uint32_t seed)
{
	for (int i = 0; i < STEPS; i++) {
		seed = seed * 1664525 + 1013904223;
		entries[seed % ENTRIES] ^= seed >> 7;
	}
	return seed;
}

static __attribute__((noinline)) uint32_t load_index(uint32_t seed)
{
	for (int pass = 0; pass < SETUP_PASSES * 10; pass++)
		seed = churn(seed) + 1;
	return seed;
}

static __attribute__((noinline)) uint32_t answer_requests(uint32_t seed)
{
	for (int pass = 0; pass < SERVE_PASSES; pass++)
		seed = churn(seed) + 2;
	return seed;
}

static __attribute__((noinline)) void wait_for_disk(void)
{
	const struct timespec wait = {0, WAIT_MS * 1000000L};
	for (int i = 0; i < 10; i++)
		nanosleep(&wait, NULL);
}

int main(void)
{
	uint32_t seed = load_index(1);
	if (firebreak_enable() != 0) {
		perror("firebreak_enable");
		return 1;
	}
	seed = answer_requests(seed);
	wait_for_disk();
	if (firebreak_disable() != 0) {
		perror("firebreak_disable");
		return 1;
	}
	firebreak_metric("latency-p99", LATENCY_US, "us", FIREBREAK_LOWER);
	firebreak_metric("throughput", 1e6 / LATENCY_US, "req/s", FIREBREAK_HIGHER);
	firebreak_metric("cache-hits", 42, "count", FIREBREAK_HIGHER);
	printf("%u\n", (unsigned)seed);
	return 0;
}

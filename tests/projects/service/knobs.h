/* The constants in which the variants of the service differ. */
#define SETUP_PASSES 1
#define SERVE_PASSES 14
#define WAIT_MS 1
#define LATENCY_US 250.0

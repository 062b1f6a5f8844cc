#pragma once

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer, which comes with the compiler and has no header of its own.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

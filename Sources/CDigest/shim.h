#ifndef CD_SHIM_H
#define CD_SHIM_H

#include <stdint.h>

/* SHA-256 with the x86 SHA extensions, which Swift has no intrinsics for. It is several times as
   fast as code without them. */

#if defined(__x86_64__)

#include <cpuid.h>

typedef uint32_t cd_words __attribute__((vector_size(16), aligned(16)));
typedef uint32_t cd_loose_words __attribute__((vector_size(16), aligned(1)));
typedef int32_t cd_signed_words __attribute__((vector_size(16), aligned(16)));

/* Whether the processor has the SHA extensions. */
static inline int cd_has_sha256(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & (1u << 29))) return 0;
  /* Processors with the SHA extensions also have SSE 4.1. */
  return __get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 19)) != 0;
}

#define CD_ROUNDS(state, other, words) \
  ((cd_words)__builtin_ia32_sha256rnds2((cd_signed_words)(state), (cd_signed_words)(other), \
                                        (cd_signed_words)(words)))

/* Updates the eight words of a state with blocks of 64 bytes, given the 64 round constants.
   Requires cd_has_sha256(). */
__attribute__((target("sha,sse4.1"))) static inline void cd_sha256(
    uint32_t *state, const uint32_t *constants, const void *bytes, long blocks) {
  cd_words low = *(const cd_loose_words *)state;
  cd_words high = *(const cd_loose_words *)(state + 4);
  /* The instructions expect the words a, b, e and f in one vector, and c, d, g and h in another. */
  cd_words abef = __builtin_shufflevector(high, low, 1, 0, 5, 4);
  cd_words cdgh = __builtin_shufflevector(high, low, 3, 2, 7, 6);
  const uint8_t *block = (const uint8_t *)bytes;
  for (; blocks > 0; blocks--, block += 64) {
    const cd_words abef_before = abef, cdgh_before = cdgh;
    cd_words schedule[4];
#pragma clang loop unroll(full)
    for (int group = 0; group < 16; group++) {
      cd_words words;
      if (group < 4) {
        const cd_words raw = *(const cd_loose_words *)(block + 16 * group);
        words = (raw >> 24) | ((raw >> 8) & 0xff00) | ((raw << 8) & 0xff0000) | (raw << 24);
      } else {
        const cd_words first = schedule[group & 3], second = schedule[(group + 1) & 3];
        const cd_words third = schedule[(group + 2) & 3], fourth = schedule[(group + 3) & 3];
        words = (cd_words)__builtin_ia32_sha256msg1((cd_signed_words)first, (cd_signed_words)second);
        words += __builtin_shufflevector(third, fourth, 1, 2, 3, 4);
        words = (cd_words)__builtin_ia32_sha256msg2((cd_signed_words)words, (cd_signed_words)fourth);
      }
      schedule[group & 3] = words;
      words += *(const cd_loose_words *)(constants + 4 * group);
      cdgh = CD_ROUNDS(cdgh, abef, words);
      words = __builtin_shufflevector(words, words, 2, 3, 2, 3);
      abef = CD_ROUNDS(abef, cdgh, words);
    }
    abef += abef_before;
    cdgh += cdgh_before;
  }
  *(cd_loose_words *)state = __builtin_shufflevector(abef, cdgh, 3, 2, 7, 6);
  *(cd_loose_words *)(state + 4) = __builtin_shufflevector(abef, cdgh, 1, 0, 5, 4);
}

#undef CD_ROUNDS

#else

static inline int cd_has_sha256(void) { return 0; }
static inline void cd_sha256(
    uint32_t *state, const uint32_t *constants, const void *bytes, long blocks) {}

#endif

#endif

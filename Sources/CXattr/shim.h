#ifndef CX_SHIM_H
#define CX_SHIM_H

/* Part of the C library, but of none of the modules that Swift sees of it. */
#include <sys/types.h>
#include <sys/xattr.h>

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* When an open file was made, in nanoseconds since 1970; 0 where the file system does not say. */
static inline long long cx_birth_time(int descriptor) {
  struct statx known;
  const int of_descriptor = 0x1000; /* AT_EMPTY_PATH */
  long result =
      syscall(SYS_statx, descriptor, "", of_descriptor, STATX_BTIME, &known);
  if (result != 0 || !(known.stx_mask & STATX_BTIME)) return 0;
  return known.stx_btime.tv_sec * 1000000000LL + known.stx_btime.tv_nsec;
}

/* Opens a folder that may be entered and need not be listed: O_PATH, which Swift is not shown. */
static const int cx_entering = __O_PATH;

#endif

#ifndef CX_SHIM_H
#define CX_SHIM_H

/* Headers of the C library that are not part of Swift's Glibc module. */
#include <sys/types.h>
#include <sys/xattr.h>

#include <fcntl.h>
#include <unistd.h>

/* O_PATH, which Swift does not import: opens a folder that need not be readable. */
static const int cx_entering = __O_PATH;

#endif

#ifndef CX_SHIM_H
#define CX_SHIM_H

/* Part of the C library, but of none of the modules that Swift sees of it. */
#include <sys/types.h>
#include <sys/xattr.h>

#include <fcntl.h>
#include <unistd.h>

/* Opens a folder that may be entered and need not be listed: O_PATH, which Swift is not shown. */
static const int cx_entering = __O_PATH;

#endif

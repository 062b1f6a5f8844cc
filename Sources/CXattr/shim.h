#ifndef CX_SHIM_H
#define CX_SHIM_H

/* Part of the C library, but of none of the modules that Swift sees of it. */
#include <sys/types.h>
#include <sys/xattr.h>

#endif

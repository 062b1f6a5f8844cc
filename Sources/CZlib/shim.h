#ifndef CZ_SHIM_H
#define CZ_SHIM_H

#include <zlib.h>

/* inflateInit2 is a macro. Adding 32 to the window size makes it detect zlib and gzip headers. */
static inline int cz_inflate_start(z_stream *stream) { return inflateInit2(stream, MAX_WBITS + 32); }

#endif

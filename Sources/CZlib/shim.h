#ifndef CZ_SHIM_H
#define CZ_SHIM_H

#include <zlib.h>

/* inflateInit2 is a macro. 32 more than the size of the window tells gzip from zlib by itself. */
static inline int cz_inflate_start(z_stream *stream) { return inflateInit2(stream, MAX_WBITS + 32); }

#endif

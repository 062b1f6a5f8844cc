#ifndef CN_SHIM_H
#define CN_SHIM_H

#define NCURSES_WIDECHAR 1
#include <ncursesw/curses.h>

#endif

/* config.h - types and switches that every file needs */

#ifndef CONFIG_H
#define CONFIG_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char uchar;
typedef signed char schar;
typedef schar xchar;
typedef uchar boolean;

#define TRUE 1
#define FALSE 0

#define NEARDATA
#define TEXTCOLOR /* monsters have colors */

#include "global.h"

#endif /* CONFIG_H */

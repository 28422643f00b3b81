// An empty file of language data in place of Foundation's, which holds 34 MB: the names of months, the order of letters and the
// rules of plurals in some hundred languages. Nothing here asks for them: texts are English, dates and numbers are written by
// Base, and the compatibility decomposition of names comes from CoreFoundation's own tables.
//
// Foundation's ICU takes its data from a symbol with its version in the name, and a definition in the program comes before that of a
// static library. With another version than this one the program keeps Foundation's data: only its size, which
// `make test-package` bounds, tells. What ICU does not find it answers as missing.
//
// Form: ICU User Guide, "ICU Data", and MappedData with UDataInfo in ICU's public header udata.h, a table of contents of no entries
// after it.
#include <stdint.h>

struct EmptyData {
  uint16_t headerBytes;
  uint8_t magic[2];
  uint16_t infoBytes;
  uint16_t reserved;
  uint8_t isBigEndian;
  // 0: ASCII.
  uint8_t charset;
  uint8_t charBytes;
  uint8_t reservedToo;
  uint8_t format[4];
  uint8_t formatVersion[4];
  uint8_t dataVersion[4];
  uint8_t padding[8];
  uint32_t entries;
};

__attribute__((visibility("hidden"), aligned(16))) const struct EmptyData icudt76_dat = {
    .headerBytes = 32,
    .magic = {0xDA, 0x27},
    .infoBytes = 20,
    .isBigEndian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .charBytes = 2,
    .format = {'C', 'm', 'n', 'D'},
    .formatVersion = {1},
    .dataVersion = {76, 1},
};

_Static_assert(__builtin_offsetof(struct EmptyData, entries) == 32, "the table of contents begins behind the header");

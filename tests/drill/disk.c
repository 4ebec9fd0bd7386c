/* A faulty disk: preloaded before the C library, it makes writes below a folder fail.

   DRILL_DISK names a file of one byte with the current mode: '0' no fault, 'f' full, 'r' read-only, 'e' an error for
   every third write or sync, 's' short writes, 'y' an error for every other sync, 'l' slow syncs (38 to 130 ms).
   DRILL_BELOW is the folder's path. With DRILL_TAPE, every write, truncation and sync there is recorded in that file:
   kind, path, offset, length, bytes. DRILL_UNREADABLE names a file by its number (inode), and the first and the last byte
   of a sector that cannot be read, separated by spaces. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *mode;
static const char *below;
static int tape = -1;
static unsigned turns;
static unsigned long long sick;
static long long first, last;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, off_t);
static ssize_t (*real_read)(int, void *, size_t);
static int (*real_fsync)(int);
static int (*real_truncate)(int, off_t);
static int (*real_open)(const char *, int, ...);
static int (*real_statvfs)(const char *, struct statvfs *);

__attribute__((constructor)) static void begin(void) {
    real_pwrite = dlsym(RTLD_NEXT, "pwrite");
    real_write = dlsym(RTLD_NEXT, "write");
    real_pread = dlsym(RTLD_NEXT, "pread");
    real_read = dlsym(RTLD_NEXT, "read");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_truncate = dlsym(RTLD_NEXT, "ftruncate");
    real_open = dlsym(RTLD_NEXT, "open");
    real_statvfs = dlsym(RTLD_NEXT, "statvfs");
    below = getenv("DRILL_BELOW");
    const char *file = getenv("DRILL_DISK"), *noted = getenv("DRILL_TAPE");
    int number = file ? real_open(file, O_RDONLY | O_CLOEXEC) : -1;
    if (number >= 0) mode = mmap(NULL, 1, PROT_READ, MAP_SHARED, number, 0);
    const char *unreadable = getenv("DRILL_UNREADABLE");
    if (unreadable && sscanf(unreadable, "%llu %lld %lld", &sick, &first, &last) != 3) abort();
    if (noted) tape = real_open(noted, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static int path_of(int file, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return below && strncmp(path, below, strlen(below)) == 0;
}

static void note(char kind, const char *path, off_t place, const void *bytes, size_t length) {
    if (tape < 0) return;
    uint32_t name = strlen(path);
    uint64_t at = place, many = length;
    struct iovec parts[] = {{&kind, 1}, {&name, 4}, {(void *)path, name}, {&at, 8}, {&many, 8}, {(void *)bytes, length}};
    if (writev(tape, parts, 6) < 0) abort();
}

/* Return how many bytes of a write succeed; -1 with errno if none. */
static ssize_t let(size_t length) {
    char how = mode ? *mode : '0';
    turns++;
    if (how == 'f') { errno = ENOSPC; return turns % 2 && length > 1 ? (ssize_t)(length / 2) : -1; }
    if (how == 'r') { errno = EROFS; return -1; }
    if (how == 'e' && turns % 3 == 0) { errno = EIO; return -1; }
    if (how == 's' && length > 1) return 1 + turns * 7919 % (length - 1);
    return length;
}

/* Return whether a read would meet the sector that cannot be read. */
static int meets(int file, off_t place, size_t length) {
    struct stat found;
    if (!sick || fstat(file, &found) || found.st_ino != sick || place > last || place + (off_t)length <= first) return 0;
    errno = EIO;
    return 1;
}

ssize_t pread(int file, void *bytes, size_t length, off_t place) {
    return meets(file, place, length) ? -1 : real_pread(file, bytes, length, place);
}

ssize_t pread64(int file, void *bytes, size_t length, off_t place) { return pread(file, bytes, length, place); }

ssize_t read(int file, void *bytes, size_t length) {
    return sick && meets(file, lseek(file, 0, SEEK_CUR), length) ? -1 : real_read(file, bytes, length);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t place) {
    char path[4096];
    if (!path_of(file, path, sizeof path)) return real_pwrite(file, bytes, length, place);
    ssize_t some = let(length);
    if (some < 0) return -1;
    some = real_pwrite(file, bytes, some, place);
    if (some > 0) note('w', path, place, bytes, some);
    return some;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off_t place) { return pwrite(file, bytes, length, place); }

ssize_t write(int file, const void *bytes, size_t length) {
    char path[4096];
    if (!path_of(file, path, sizeof path)) return real_write(file, bytes, length);
    ssize_t some = let(length);
    if (some < 0) return -1;
    off_t place = lseek(file, 0, SEEK_CUR);
    some = real_write(file, bytes, some);
    if (some > 0) note('w', path, place, bytes, some);
    return some;
}

int fsync(int file) {
    char path[4096];
    if (!path_of(file, path, sizeof path)) return real_fsync(file);
    char how = mode ? *mode : '0';
    turns++;
    if (how == 'l') usleep(38000 + (turns * 2654435761u >> 8) % 92000);
    if ((how == 'y' && turns % 2) || (how == 'e' && turns % 3 == 0)) { errno = EIO; return -1; }
    int done = real_fsync(file);
    if (done == 0) note('s', path, 0, "", 0);
    return done;
}

int fdatasync(int file) { return fsync(file); }

int ftruncate(int file, off_t length) {
    char path[4096];
    if (!path_of(file, path, sizeof path)) return real_truncate(file, length);
    if (mode && *mode == 'r') { errno = EROFS; return -1; }
    int done = real_truncate(file, length);
    if (done == 0) note('t', path, length, "", 0);
    return done;
}

int ftruncate64(int file, off_t length) { return ftruncate(file, length); }

int statvfs(const char *path, struct statvfs *found) {
    int done = real_statvfs(path, found);
    if (done == 0 && mode && *mode == 'r') found->f_flag |= ST_RDONLY;
    return done;
}

int statvfs64(const char *path, struct statvfs64 *found) { return statvfs(path, (struct statvfs *)found); }

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t rights = va_arg(more, mode_t);
    va_end(more);
    if (below && strncmp(path, below, strlen(below)) == 0 && mode && *mode == 'r') {
        if ((flags & O_ACCMODE) != O_RDONLY) { errno = EROFS; return -1; }
    }
    return real_open(path, flags, rights);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t rights = va_arg(more, mode_t);
    va_end(more);
    return open(path, flags, rights);
}

/* Makes one system call of a process fail, and for a full disk every later one too. Loaded by LD_PRELOAD.
 *
 * FAULT_KIND     write, rename, sync, read; clock: no call fails, the calendar jumps thirty years at each look
 * FAULT_CALL     number of the call that fails, from 1; 0: none
 * FAULT_ERRNO    the error it fails with
 * FAULT_LASTS    set: the calls after it fail as well
 * FAULT_FOLDER   only files below this folder count
 * FAULT_COUNT    file that receives the number of calls when the process ends
 *
 * The C library's functions are replaced, so nothing of the program under test changes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static atomic_long calls;
static long failing;
static int error, lasts;
static const char *kind = "", *folder = "";

__attribute__((constructor)) static void begin(void) {
    const char *value;
    if ((value = getenv("FAULT_KIND"))) kind = value;
    if ((value = getenv("FAULT_FOLDER"))) folder = value;
    if ((value = getenv("FAULT_CALL"))) failing = atol(value);
    if ((value = getenv("FAULT_ERRNO"))) error = atoi(value);
    lasts = getenv("FAULT_LASTS") != NULL;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld", atomic_load(&calls));
        fclose(file);
    }
}

/* Whether this call is the one that fails. */
static int fails(const char *name, const char *path) {
    if (strcmp(kind, name) != 0 || strncmp(path, folder, strlen(folder)) != 0) return 0;
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (failing == 0 || call < failing || (call > failing && !lasts)) return 0;
    errno = error;
    return 1;
}

static int descriptor_fails(const char *name, int descriptor) {
    char link[64], path[PATH_MAX];
    if (strcmp(kind, name) != 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fails(name, path);
}

#define REAL(result, name, ...) ((result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t size) {
    return descriptor_fails("write", fd) ? -1 : REAL(ssize_t, write, int, const void *, size_t)(fd, bytes, size);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    return descriptor_fails("write", fd) ? -1 : REAL(ssize_t, writev, int, const struct iovec *, int)(fd, parts, count);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
    if (descriptor_fails("write", fd)) return -1;
    return REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(fd, bytes, size, offset);
}

int ftruncate64(int fd, off64_t size) {
    return descriptor_fails("write", fd) ? -1 : REAL(int, ftruncate64, int, off64_t)(fd, size);
}

ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *there, size_t size, unsigned flags) {
    if (descriptor_fails("write", to) || descriptor_fails("read", from)) return -1;
    return REAL(ssize_t, copy_file_range, int, off64_t *, int, off64_t *, size_t, unsigned)(from, at, to, there, size, flags);
}

int rename(const char *from, const char *to) {
    return fails("rename", to) ? -1 : REAL(int, rename, const char *, const char *)(from, to);
}

int fsync(int fd) {
    return descriptor_fails("sync", fd) ? -1 : REAL(int, fsync, int)(fd);
}

int fdatasync(int fd) {
    return descriptor_fails("sync", fd) ? -1 : REAL(int, fdatasync, int)(fd);
}

ssize_t read(int fd, void *bytes, size_t size) {
    return descriptor_fails("read", fd) ? -1 : REAL(ssize_t, read, int, void *, size_t)(fd, bytes, size);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset) {
    if (descriptor_fails("read", fd)) return -1;
    return REAL(ssize_t, pread64, int, void *, size_t, off64_t)(fd, bytes, size, offset);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = REAL(int, clock_gettime, clockid_t, struct timespec *)(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME && strcmp(kind, "clock") == 0) {
        long look = atomic_fetch_add(&calls, 1) + 1;
        time->tv_sec += (look % 2 ? 1 : -1) * 30L * 365 * 86400;
    }
    return result;
}

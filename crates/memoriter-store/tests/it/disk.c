/* A disk whose failures are decided by the test; loaded before libc (LD_PRELOAD).
 *
 * DISK_IMAGES=1      each sync keeps a copy of the file, NAME.durable: what a power cut would leave.
 * DISK_DEAF=SUFFIX   syncs of files with this suffix are answered and not done.
 * DISK_FAILS_AT=N    the N-th sync of a write-ahead log fails, once.
 * DISK_TELLS=1       each sync is told on standard output.
 * DISK_FULL_AT=N     the N-th write to a write-ahead log and the next nine find the disk full.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ends_with(const char *name, const char *suffix) {
    size_t a = strlen(name), b = strlen(suffix);
    return a >= b && strcmp(name + a - b, suffix) == 0;
}

static void keep_image(int file, const char *name) {
    static atomic_int count;
    char image[4200], fresh[4200], bytes[65536];
    snprintf(image, sizeof image, "%s.durable", name);
    snprintf(fresh, sizeof fresh, "%s.fresh%d", name, atomic_fetch_add(&count, 1));
    int out = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    off_t at = 0;
    ssize_t got;
    while ((got = pread(file, bytes, sizeof bytes, at)) > 0) {
        if (write(out, bytes, got) != got) abort();
        at += got;
    }
    close(out);
    rename(fresh, image);
}

static int name_of(int file, char name[4096]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, 4095);
    name[length < 0 ? 0 : length] = 0;
    return length >= 0;
}

static int sync_file(int file, const char *symbol) {
    static atomic_int log_syncs;
    char name[4096];
    if (!name_of(file, name)) return -1;
    const char *deaf = getenv("DISK_DEAF"), *fails = getenv("DISK_FAILS_AT");
    if (deaf && ends_with(name, deaf)) return 0;
    if (fails && ends_with(name, "-wal") && atomic_fetch_add(&log_syncs, 1) + 1 == atoi(fails)) {
        errno = EIO;
        return -1;
    }
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, symbol);
    int answer = real(file);
    if (getenv("DISK_TELLS")) dprintf(1, "sync %s\n", name);
    if (answer == 0 && getenv("DISK_IMAGES") && !ends_with(name, "/")) keep_image(file, name);
    return answer;
}

int fsync(int file) { return sync_file(file, "fsync"); }
int fdatasync(int file) { return sync_file(file, "fdatasync"); }

static int is_full(int file) {
    static atomic_int log_writes;
    const char *full = getenv("DISK_FULL_AT");
    char name[4096];
    if (!full || !name_of(file, name) || !ends_with(name, "-wal")) return 0;
    int past = atomic_fetch_add(&log_writes, 1) + 1 - atoi(full);
    return 0 <= past && past < 10;
}

typedef ssize_t (*write_at)(int, const void *, size_t, off_t);

static ssize_t write_file(const char *symbol, int file, const void *bytes, size_t count, off_t at) {
    if (is_full(file)) {
        errno = ENOSPC;
        return -1;
    }
    return ((write_at)dlsym(RTLD_NEXT, symbol))(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    return write_file("pwrite", file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at) {
    return write_file("pwrite64", file, bytes, count, at);
}

int unlink(const char *name) {
    int (*real)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
    char image[4200];
    snprintf(image, sizeof image, "%s.durable", name);
    real(image);
    return real(name);
}

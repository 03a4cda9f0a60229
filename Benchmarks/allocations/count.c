// A library that counts the allocations of a program. LD_PRELOAD loads it before the C library. It counts the calls of
// malloc, calloc, realloc and the aligned variants. The count is in a file, which another program reads. The
// environment variable COUNT_ALLOCATIONS_IN contains the path of this file. Linux only.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic unsigned long ignored;
static _Atomic unsigned long *count = &ignored;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

__attribute__((constructor)) static void open_file(void) {
    const char *path = getenv("COUNT_ALLOCATIONS_IN");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof(unsigned long), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) count = memory;
}

static void add(void) { atomic_fetch_add_explicit(count, 1, memory_order_relaxed); }

void *malloc(size_t size) { add(); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { add(); return __libc_calloc(number, size); }
void *realloc(void *memory, size_t size) { add(); return __libc_realloc(memory, size); }
void *memalign(size_t alignment, size_t size) { add(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { add(); return __libc_memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
    add();
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12;
}

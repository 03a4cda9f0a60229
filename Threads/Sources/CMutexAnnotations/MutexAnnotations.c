// Annotates Synchronization.Mutex on Linux for the thread sanitizer.
//
// An uncontended lock is an atomic operation that is inlined into the caller, so the sanitizer sees it. Functions of
// libswiftSynchronization acquire and release a contended lock. This library is not built with the sanitizer, which
// therefore reports a race for each contended lock. The functions below replace these two functions, call them, and
// annotate the lock.
//
// If the library renames its functions, the functions below are never called, and the false reports return.
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>

// Synchronization._MutexHandle._lockSlow(_: UInt32) and _unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    SWIFT void (*original)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
    original(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    SWIFT void (*original)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(mutex);
    original(mutex);
}

#endif

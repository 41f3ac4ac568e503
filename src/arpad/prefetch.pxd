# A hint to the processor to fetch the cache line of an address; nothing where the compiler has no such thing.
cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define arpad_prefetch(p) __builtin_prefetch((p), 1)
    #else
    #define arpad_prefetch(p) ((void)(p))
    #endif
    """
    void prefetch "arpad_prefetch"(void *p) nogil

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The clock of the system.
public enum SystemTime {
    /// The current time in milliseconds since 1970.
    public static var milliseconds: Int64 {
        var time = timespec()
        // The call only fails for an unknown clock.
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

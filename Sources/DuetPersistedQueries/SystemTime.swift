#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The clock of the system.
public enum SystemTime {
    /// Milliseconds since 1970.
    public static var milliseconds: Int64 {
        var time = timespec()
        // It fails for an unknown clock only.
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

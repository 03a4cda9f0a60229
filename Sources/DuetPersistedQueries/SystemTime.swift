#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The system's clock, which processes on several machines share as far as it is set right.
public enum SystemTime {
    /// Milliseconds since 1970.
    public static var milliseconds: Int64 {
        var time = timespec()
        // It can only fail for a clock that is not there.
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

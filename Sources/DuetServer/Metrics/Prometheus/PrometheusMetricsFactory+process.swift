#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension PrometheusMetricsFactory {
    /// Adds the standard process metrics of Prometheus' client libraries: start time, CPU time, memory and open files.
    /// Values that the system does not provide are omitted. The CPU time and the maximum number of open files come from
    /// POSIX functions. All other values come from Linux's `/proc` (proc(5)).
    public func observeProcess() {
        let start = ProcessFiles.startTime
        gauge("process_start_time_seconds", help: "The start time of the process, in seconds since 1970.") { start }
        counter("process_cpu_seconds_total", help: "The CPU time of all threads, in seconds.") {
            var time = timespec()
            guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }
        gauge("process_virtual_memory_bytes", help: "The used address space, in bytes.") { ProcessFiles.memory(0) }
        gauge("process_resident_memory_bytes", help: "The resident memory, in bytes.") { ProcessFiles.memory(1) }
        gauge("process_open_fds", help: "The number of open files and sockets.") { ProcessFiles.openFiles }
        gauge("process_max_fds", help: "The maximum number of open files and sockets.") {
            #if canImport(Glibc)
                let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            #else
                let resource = RLIMIT_NOFILE
            #endif
            var limit = rlimit()
            return getrlimit(resource, &limit) == 0 ? Double(limit.rlim_cur) : nil
        }
    }
}

/// The values of this process in `/proc`; nil on systems without `/proc`.
private enum ProcessFiles {
    /// Returns the value of a field of `statm` in bytes. The file contains numbers of pages.
    static func memory(_ field: Int) -> Double? {
        guard let fields = text("/proc/self/statm")?.split(separator: " "), fields.indices.contains(field) else {
            return nil
        }
        return Double(fields[field]).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }

    /// The start time of the process in seconds since 1970: the boot time plus the time from boot to start.
    /// `/proc/self/stat` contains the time from boot to start in clock ticks.
    static var startTime: Double? {
        // The second field is the program's name in parentheses. It can contain any characters.
        guard let stat = text("/proc/self/stat"), let end = stat.lastIndex(of: ")"),
            let boot = text("/proc/stat")?.split(separator: "\n").first(where: { $0.hasPrefix("btime ") })
        else { return nil }
        let fields = stat[end...].split(separator: " ")
        guard fields.count > 20, let ticks = Double(fields[20]), let booted = Double(boot.dropFirst(6)) else {
            return nil
        }
        return booted + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    static var openFiles: Double? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // The entries `.` and `..` and the descriptor of the directory are not counted.
        return Double(count - 3)
    }

    /// Reads a file in pieces, because files in `/proc` do not report their length.
    private static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(file, &piece, piece.count)
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
        }
    }
}

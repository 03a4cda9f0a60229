/// How long a task takes in a style, and what it takes of the machine: different each time.
package struct Timing: Sendable {
    /// How the requests of a round are sent.
    package enum Mode: String, Sendable {
        case sequential, parallel
    }

    /// Quantiles of how long something took, in microseconds. Those that too few have exceeded are `nil`.
    package struct Latency: Sendable {
        /// The median of the rounds' medians.
        package let p50: Estimate
        package let p90: Double?
        package let p99: Double?
        package let p999: Double?
        /// How often it was done.
        package let count: Int
    }

    package let mode: Mode
    /// One client that asks again as soon as it has its answer.
    package let alone: Latency
    /// How long its requests take, each of them.
    package let requests: Latency
    /// Clients who begin at a constant rate; `nil` through a cache.
    package let underLoad: UnderLoad?
    /// As many clients as keep the server busy.
    package let busy: Busy
    /// The same with the answers in gzip; `nil` where that makes no difference, and through a cache.
    package let compressed: Busy?
    /// How long a task takes from afar.
    package let distances: [Distance]
    /// KiB of memory that a new server takes for the task at most, beyond what it had before; `nil` where there is no new server, and
    /// through a cache.
    package var peakMemory: Estimate?

    /// Tasks that begin at a constant rate, the same for all styles of a scenario; what waits in line counts.
    package struct UnderLoad: Sendable {
        /// Tasks a second.
        package let rate: Double
        package let latency: Latency
    }

    /// What a server and its clients do at their fastest.
    package struct Busy: Sendable {
        /// Tasks a second.
        package let throughput: Estimate
        /// Microseconds of the server's processors a task; `nil` if it does not tell.
        package let serverCPU: Estimate?
        /// Microseconds of the client's.
        package let clientCPU: Estimate
        /// Microseconds of the cache's; `nil` where there is none in between, or it does not tell.
        package let cacheCPU: Estimate?
    }

    /// A round-trip time between client and server, and how long a task takes then, in microseconds.
    package struct Distance: Sendable {
        package let roundTrip: Duration
        package let latency: Estimate
    }
}

/// The duration and the resource usage of a task in a style, which vary from run to run.
package struct Timing: Sendable {
    /// The way in which the requests of a round are sent.
    package enum Mode: String, Sendable {
        case sequential, parallel
    }

    /// Quantiles of a duration in microseconds. A quantile that too few durations exceed is nil.
    package struct Latency: Sendable {
        /// The median of the medians of the rounds.
        package let p50: Estimate
        package let p90: Double?
        package let p99: Double?
        package let p999: Double?
        /// The number of measured durations.
        package let count: Int
    }

    package let mode: Mode
    /// The latency with one client that starts the next task as soon as it has the response.
    package let alone: Latency
    /// The latency of the individual requests of that client.
    package let requests: Latency
    /// The latency at a constant rate; nil with a cache.
    package let underLoad: UnderLoad?
    /// The performance with enough clients to keep the server busy.
    package let busy: Busy
    /// The performance with gzip responses; nil if gzip makes no difference, and with a cache.
    package let compressed: Busy?
    /// The duration of a task at each distance.
    package let distances: [Distance]
    /// The maximum memory in KiB that a new server needs for the task, in addition to its memory before; nil without a
    /// new server, and with a cache.
    package var peakMemory: Estimate?

    /// The latency of tasks that start at a constant rate, which is the same for all styles of a scenario. It includes
    /// the time in the queue.
    package struct UnderLoad: Sendable {
        /// Tasks per second.
        package let rate: Double
        package let latency: Latency
    }

    /// The maximum throughput of a server and its clients, and the processor time.
    package struct Busy: Sendable {
        /// Tasks per second.
        package let throughput: Estimate
        /// The server's processor time per task in microseconds; nil if the server does not report it.
        package let serverCPU: Estimate?
        /// The client's processor time per task in microseconds.
        package let clientCPU: Estimate
        /// The cache's processor time per task in microseconds; nil without a cache, or if the cache does not report
        /// it.
        package let cacheCPU: Estimate?
    }

    /// A round-trip time between client and server, and the duration of a task at this distance in microseconds.
    package struct Distance: Sendable {
        package let roundTrip: Duration
        package let latency: Estimate
    }
}

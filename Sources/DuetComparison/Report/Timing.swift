/// The measured duration and resource usage of a task in one style. The values vary between runs.
package struct Timing: Sendable {
    /// The way in which the requests of a round are sent. A round consists of requests that do not depend on each
    /// other.
    package enum Mode: String, Sendable {
        case sequential, parallel
    }

    /// Quantiles of a duration in microseconds. A quantile is nil if too few durations exceed it.
    package struct Latency: Sendable {
        /// The median of the medians of all measurement rounds (``TimingPlan/rounds``).
        package let p50: Estimate
        package let p90: Double?
        package let p99: Double?
        package let p999: Double?
        /// The number of measured durations.
        package let count: Int
    }

    package let mode: Mode
    /// The latency with one client. The client starts a task as soon as the previous task is complete.
    package let alone: Latency
    /// The latency of the individual requests of this client.
    package let requests: Latency
    /// The latency at a constant rate; nil for a style with a cache.
    package let underLoad: UnderLoad?
    /// The performance with several clients, which keep the server busy.
    package let busy: Busy
    /// The performance with gzip responses. It is nil if gzip does not reduce the size of the responses, and for a
    /// style with a cache.
    package let compressed: Busy?
    /// The duration of a task for each simulated round-trip time.
    package let distances: [Distance]
    /// The growth of a new server's memory during the task, in KiB. It is nil if no new server was started, and for a
    /// style with a cache.
    package var peakMemory: Estimate?

    /// The latency of tasks that start at a constant rate. All styles of a scenario have the same rate. The latency
    /// includes the time in the queue.
    package struct UnderLoad: Sendable {
        /// The rate, in tasks per second.
        package let rate: Double
        package let latency: Latency
    }

    /// The maximum throughput of a server and its clients, and the processor time of each task.
    package struct Busy: Sendable {
        /// The throughput, in tasks per second.
        package let throughput: Estimate
        /// The server's processor time per task in microseconds; nil if the server does not report the time.
        package let serverCPU: Estimate?
        /// The client's processor time per task in microseconds.
        package let clientCPU: Estimate
        /// The cache's processor time per task in microseconds; nil if there is no cache, or if the cache does not
        /// report the time.
        package let cacheCPU: Estimate?
    }

    /// A simulated round-trip time between client and server, and the duration of a task in microseconds with this
    /// round-trip time.
    package struct Distance: Sendable {
        package let roundTrip: Duration
        package let latency: Estimate
    }
}

/// The settings for measuring time in a comparison.
package struct TimingPlan: Sendable {
    /// The length of a measurement in which a client performs a task repeatedly.
    package struct Turn: Sendable {
        /// The minimum duration.
        package var duration: Duration
        /// The minimum number of tasks.
        package var tasks: Int
        /// The maximum duration. It is exceeded only if a single task takes longer.
        package var limit: Duration

        package init(duration: Duration, tasks: Int = 1, limit: Duration? = nil) {
            self.duration = duration
            self.tasks = tasks
            self.limit = max(duration, limit ?? duration)
        }
    }

    /// The number of rounds. Every style has a turn in each round, in random order.
    package var rounds = 5
    /// A turn that measures latencies. Five turns contain a hundred tasks, which is enough for the 90th percentile,
    /// unless the task is slow.
    package let turn: Turn
    /// A turn that measures the maximum throughput of clients and server.
    package let busyTurn: Turn
    /// A turn of each kind whose result is discarded. It opens connections and fills caches.
    package var warmUp = Turn(duration: .milliseconds(20))
    /// A turn with gzip, which measures processor time but no latencies.
    package var shortTurn = Turn(duration: .milliseconds(40))
    /// The number of servers that are started for each style to measure memory. It is one if turns are short.
    package let memoryServers: Int
    /// The number of clients that together keep a server busy.
    package var workers = 8
    /// The number of connections of one client, similar to browsers.
    package var connections = 6
    /// The simulated round-trip times between client and server. Zero measures the overhead of the proxy itself.
    package var distances: [Duration] = [.zero, .milliseconds(10), .milliseconds(50)]
    /// The total time that a contender waits for tasks at a distance. Once it is exceeded, no further task is started.
    package var patience = Duration.seconds(2)

    /// The default length of a turn in milliseconds. All scenarios then take several minutes.
    package static let defaultTurn = 60

    /// - Parameter milliseconds: The length of a turn.
    package init(turn milliseconds: Int = Self.defaultTurn) {
        turn = Turn(duration: .milliseconds(milliseconds), tasks: 20, limit: .milliseconds(2 * milliseconds))
        busyTurn = Turn(duration: .milliseconds(milliseconds))
        memoryServers = milliseconds < 30 ? 1 : 3
    }
}

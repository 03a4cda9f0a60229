/// The settings for measuring time in a comparison.
package struct TimingPlan: Sendable {
    /// The length of a turn. In a turn, clients repeatedly perform the task of one contender, which is a style in one
    /// mode.
    package struct Turn: Sendable {
        /// The minimum duration.
        package var duration: Duration
        /// The minimum number of tasks.
        package var tasks: Int
        /// The maximum duration. A turn exceeds it only if a single task takes longer.
        package var limit: Duration

        package init(duration: Duration, tasks: Int = 1, limit: Duration? = nil) {
            self.duration = duration
            self.tasks = tasks
            self.limit = max(duration, limit ?? duration)
        }
    }

    /// The number of rounds. In each round, every contender has its turns, in random order.
    package var rounds = 5
    /// A turn that measures latencies. Five turns contain at least a hundred tasks, unless the task is slow. A hundred
    /// tasks are sufficient for the 90th percentile.
    package let turn: Turn
    /// A turn that measures the maximum throughput of clients and server.
    package let busyTurn: Turn
    /// The turn that precedes the first round of each kind of measurement. It opens connections and fills caches. Its
    /// result is discarded.
    package var warmUp = Turn(duration: .milliseconds(20))
    /// A turn with gzip. It measures processor time, but no latencies. It is not longer than the other turns.
    package var shortTurn: Turn
    /// The number of servers that are started to measure memory, for each contender. It is 1 if turns are short.
    package let memoryServers: Int
    /// The number of concurrent clients that keep a server busy.
    package var workers = 8
    /// The number of connections of one client. Browsers use a similar number.
    package var connections = 6
    /// The simulated round-trip times between client and server. Zero measures the overhead of the proxy.
    package var distances: [Duration] = [.zero, .milliseconds(10), .milliseconds(50)]
    /// The total duration of a contender's tasks, for one round-trip time, after which the contender has no further
    /// rounds.
    package var patience = Duration.seconds(2)

    /// The default length of a turn in milliseconds. With this length, all scenarios together take several minutes.
    package static let defaultTurn = 60

    /// - Parameter milliseconds: The length of a turn in milliseconds.
    package init(turn milliseconds: Int = Self.defaultTurn) {
        turn = Turn(duration: .milliseconds(milliseconds), tasks: 20, limit: .milliseconds(2 * milliseconds))
        busyTurn = Turn(duration: .milliseconds(milliseconds))
        shortTurn = Turn(duration: .milliseconds(min(milliseconds, 40)))
        memoryServers = milliseconds < 30 ? 1 : 3
    }
}

/// How a comparison measures time.
package struct TimingPlan: Sendable {
    /// How long somebody asks for a task again and again.
    package struct Turn: Sendable {
        /// At least so long,
        package var duration: Duration
        /// and until the task was done so often,
        package var tasks: Int
        /// but no longer than this, or than one task takes.
        package var limit: Duration

        package init(duration: Duration, tasks: Int = 1, limit: Duration? = nil) {
            self.duration = duration
            self.tasks = tasks
            self.limit = max(duration, limit ?? duration)
        }
    }

    /// Every style has its turn in each of them, in another order each time.
    package var rounds = 5
    /// A turn of which latencies are wanted. Five of them have a hundred tasks, as many as a ninth decile needs, unless the task is slow.
    package let turn: Turn
    /// A turn that tells what clients and server can do at their fastest.
    package let busyTurn: Turn
    /// A turn of each kind that does not count: connections are made then, and all is brought into the state that is measured.
    package var warmUp = Turn(duration: .milliseconds(20))
    /// A turn in gzip, of which the processors' time is wanted and no latencies.
    package var shortTurn = Turn(duration: .milliseconds(40))
    /// Servers that are started for each style to see what memory they take; one for turns that are too short for more than a glance.
    package let memoryServers: Int
    /// Clients that together keep a server busy.
    package var workers = 8
    /// Connections that one client has, as browsers do.
    package var connections = 6
    /// Round-trip times that are put between client and server. Of zero, it is the proxy itself that is measured.
    package var distances: [Duration] = [.zero, .milliseconds(10), .milliseconds(50)]
    /// Who has waited so long for tasks from afar in all waits for no further one.
    package var patience = Duration.seconds(2)

    /// The length of a turn in milliseconds with which all scenarios take some minutes.
    package static let defaultTurn = 60

    /// - Parameter milliseconds: the length of a turn.
    package init(turn milliseconds: Int = Self.defaultTurn) {
        turn = Turn(duration: .milliseconds(milliseconds), tasks: 20, limit: .milliseconds(2 * milliseconds))
        busyTurn = Turn(duration: .milliseconds(milliseconds))
        memoryServers = milliseconds < 30 ? 1 : 3
    }
}

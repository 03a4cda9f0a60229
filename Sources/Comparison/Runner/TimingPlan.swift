/// How a comparison measures time.
package struct TimingPlan: Sendable {
    /// Every style has its turn in each of them, in another order each time.
    package var rounds = 5
    /// How long a turn is, for each of the kinds of load.
    package var turn = Duration.milliseconds(100)
    /// How long a turn is that brings everything into the state that is measured, and one in gzip, of which the processors' time is
    /// wanted and no latencies.
    package var shortTurn = Duration.milliseconds(50)
    /// Servers that are started for each style to see what memory they take.
    package var memoryServers = 3
    /// Clients that together keep a server busy.
    package var workers = 8
    /// Connections that one client has, as browsers do.
    package var connections = 6
    /// Round-trip times that are put between client and server.
    package var distances: [Duration] = [.milliseconds(10), .milliseconds(50)]

    /// The standard plan: all scenarios in some minutes.
    package init() {}
}

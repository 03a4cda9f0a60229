extension HTMLReport {
    /// The description of the method, limited to the figures of this report.
    var method: HTML {
        let points =
            [Self.conclusions] + Self.counting + (isCached ? [caching] : []) + (report.timing.map(timing) ?? [])
        return fold(
            "Method", id: "method", "<ul>\n\(points.map { point -> HTML in "<li>\(point)</li>\n" })</ul>\n")
    }

    private static let conclusions: HTML = """
        “At its best” a style sends the fewest requests, and with as many requests the fewest bytes; styles through a cache do not take part. Bytes \
        are those of both directions, responses in gzip where the server compresses them. Times differ by more than the noise if their intervals \
        do not touch and the medians are a twentieth apart.
        """

    private static let counting: [HTML] = [
        """
        What a style can ask for is this API's: over GraphQL the present title alone, over REST all of them (there is no condition on \
        details); over REST a whole table at once, over GraphQL a thousand rows.
        """,
        "One server process, one database, one set of dates. Both styles end in the same SQL layer and the same JSON writer.",
        "Every style is asked for what the task needs; the answers are unwrapped and compared value for value.",
        """
        “REST, a request for each resource” is REST as it is often written: each resource as the server sends it unasked. “With details” brings \
        related resources along, or a whole table as lines; “with fields” leaves out what is not wanted.
        """,
        """
        Bytes are counted on the socket, heads included; the field Server-Timing is left out, for its length is not always the same. \
        A document that is asked for by its hash has been registered before.
        """,
        """
        A task that writes has another value to write each time. Every style shows what is stored, and one more request, which is not counted, makes \
        sure of it.
        """,
    ]

    private var isCached: Bool { report.scenarios.contains { $0.styles.contains { $0.style.cacheState != nil } } }

    private var caching: HTML {
        """
        “Cold cache” and “warm cache”: through a cache beside the server that has none of the answers, or all that may be kept. Statements \
        and the server's processor time are the server's alone; what the cache takes of the processors stands beside it, where it can be told.
        """
    }

    private func timing(_ plan: TimingPlan) -> [HTML] {
        [
            """
            Styles take turns in \(plan.rounds) rounds, in another order each time, after a turn that does not count. A figure is the \
            median of the rounds; in brackets, and as a whisker, the interval of the sign test, with five rounds from the least to the \
            greatest; none where there were fewer. Other quantiles are of all \
            rounds together, without an interval, and are shown if at least ten tasks took longer; so p99.9 takes longer turns than are usual \
            (--turn).
            """,
            """
            A turn takes \(plan.turn.duration.inMilliseconds) ms, up to \(plan.turn.limit.inMilliseconds) ms while fewer than \
            \(plan.turn.tasks) tasks are done, and as long as one task takes.
            """,
            """
            “Parallel”: what does not depend on other answers is asked for at once, over \(plan.connections) connections for each client. \
            HTTP/1.1, kept alive.
            """,
            "“At their fastest”: \(plan.workers) clients who each ask again as soon as they have their answer.",
            """
            “At a constant rate”: tasks begin whether or not those before have ended, at half of what the slowest style without a cache can \
            do at most; what waits in line counts. Through a cache it is not asked. Where one style is much slower, the others are hardly loaded.
            """,
            """
            “Server CPU” is that of the process that answers; where the database is another process, as MariaDB is, its share is in no figure.
            """,
            """
            “Gzip”: the same clients ask for it and unpack it, where it makes a difference; without the word, answers have no coding.
            """,
            """
            “From … ms”: a proxy between the two holds every byte back for half of the round-trip time; at 0 ms it is the proxy alone. The \
            styles ask within one round trip, one a little after the other; at 0 ms each is alone.
            """,
        ]
            + (hasMemory
                ? [
                    """
                    “Peak memory”: of a server that has just been started, while \(plan.workers) clients ask for the task, beyond what it had \
                    before; the median of \(plan.memoryServers) servers.
                    """
                ] : [])
            + [
                report.startedServer
                    ? "Client and server share the machine, and so its processors."
                    : "The server ran already, and nothing is known of its machine; the one that is named here is that of the clients."
            ]
    }

    private var hasMemory: Bool {
        report.scenarios.contains { $0.styles.contains { $0.timings.contains { $0.peakMemory != nil } } }
    }
}

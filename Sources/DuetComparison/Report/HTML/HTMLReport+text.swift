extension HTMLReport {
    /// The description of the method. It describes only figures that this report contains.
    var method: HTML {
        let points =
            [Self.conclusions] + Self.counting + (report.hasCopies ? [Self.copies] : []) + (isCached ? [caching] : [])
            + (report.live == nil ? [] : [Self.live])
            + (report.timing.map(timing) ?? [])
        return fold(
            "Method", id: "method", "<ul>\n\(points.map { point -> HTML in "<li>\(point)</li>\n" })</ul>\n")
    }

    private static let conclusions: HTML = """
        “At its best”: the style with aggregates, if there is one, and otherwise the style with the fewest requests. If several styles have the fewest requests, it is the one with the fewest bytes. \
        Styles with a cache are excluded. Bytes are counted \
        in both directions, with responses in gzip if the server compresses them. Times differ by more than the noise if their intervals do not \
        overlap and the medians differ by at least 5%.
        """

    private static let counting: [HTML] = [
        """
        The API determines which data a style can request. In the API of Duet, both styles have the same filters, for lists and nested lists. \
        REST can return a whole table in one response, while a page in GraphQL has at most a thousand rows.
        """,
        "One server process and one database with one date format. Both styles use the same SQL layer and the same JSON writer.",
        "Every style requests the data that the task needs. The results are extracted from the responses and compared value by value.",
        """
        “REST, a request for each resource” is the most common form of REST: one request for each resource, with the default fields. “With \
        details” includes related resources in the response; “with fields” limits the response to the required fields; “as NDJSON” streams a \
        whole table. “Aggregates” are numbers that the database computes. All other styles read the rows, and the same numbers are computed \
        from the rows.
        """,
        """
        Bytes are counted on the socket, including heads. The field Server-Timing is excluded, because its length varies. \
        For requests by hash, the document was registered before the measurement.
        """,
        """
        A task that writes uses a different value each time. Every style returns the stored value, and an additional request, which is not \
        counted, verifies it.
        """,
    ]

    private static let copies: HTML = """
        “For writes”: each style has its own server with its own copy of the database. The copies have the same rows before each task, and \
        the rows are compared after it. One client performs these tasks, also for the throughput, and their responses are not compressed.
        """

    private static let live: HTML = """
        “live”: each way has its own server process on the same database, and all of them watch at the same time. Another program changes \
        the database at the same moments in each run. A delay is the time from the response to the write until an answer has arrived \
        completely that shows the change or a later one. Bytes are those of a connection that remains open, in both directions, with header \
        fields, chunks and frames. The statements include those that find commits.
        """

    private var isCached: Bool { report.scenarios.contains { $0.styles.contains { $0.style.cacheState != nil } } }

    private var caching: HTML {
        """
        “Cold cache” and “warm cache”: requests pass through a cache next to the server. A cold cache contains no responses. A warm cache contains all cacheable responses. \
        Statements and the server's processor time are those of the server only; the processor time of the cache is shown separately if it is \
        known.
        """
    }

    private func timing(_ plan: TimingPlan) -> [HTML] {
        [
            """
            Styles are measured in turns in \(plan.rounds) rounds, in random order, after a warm-up. A figure is the median of the rounds. The \
            parentheses and the whisker show the interval of the sign test; with five rounds, it is the range from the least to the greatest \
            value, and with fewer rounds it is omitted. Other quantiles are computed from all rounds together, without an interval. A quantile \
            is shown only if at least ten tasks took longer than its value. Therefore p99.9 requires longer turns than the default (--turn).
            """,
            """
            A turn takes \(plan.turn.duration.inMilliseconds) ms. If fewer than \(plan.turn.tasks) tasks are complete at the end of this \
            time, the turn continues until they are complete, for at most \(plan.turn.limit.inMilliseconds) ms. A task that has started is always completed.
            """,
            """
            “Parallel”: requests that do not depend on each other are sent concurrently, over \(plan.connections) connections for each client. \
            All connections are persistent HTTP/1.1 connections.
            """,
            "“Maximum throughput”: \(plan.workers) clients, each of which starts a task as soon as its previous task is complete.",
            """
            “At a constant rate”: tasks start at a constant rate, without waiting for the previous tasks. The rate is half of the maximum \
            throughput of the slowest style without a cache. Latencies include the time in the queue. Styles with a cache are excluded. If one style is much slower, the load \
            of the other styles is low.
            """,
            """
            “Server CPU” is the processor time of the server process. A database in a separate process, such as MariaDB, is not included.
            """,
            """
            “Gzip”: the clients request gzip and decompress the responses. A style is measured with gzip only if gzip changes the size of its responses. All other times are measured without compression.
            """,
            """
            “RTT”: a proxy between client and server delays every byte by half of the round-trip time (RTT); 0 ms measures the overhead of the \
            proxy. The styles are measured concurrently, with start times spread over one round trip; at 0 ms they are measured one at a time.
            """,
        ]
            + (hasMemory
                ? [
                    """
                    “Peak memory”: the increase in memory of a newly started server while \(plan.workers) clients perform the task; the median \
                    of \(plan.memoryServers) servers.
                    """
                ] : [])
            + [
                report.startedServer
                    ? "Client and server share the processors of one machine."
                    : "The server was already running. Its machine is unknown; the named machine is that of the clients."
            ]
    }

    private var hasMemory: Bool {
        report.scenarios.contains { $0.styles.contains { $0.timings.contains { $0.peakMemory != nil } } }
    }
}

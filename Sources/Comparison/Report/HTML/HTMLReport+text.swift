extension HTMLReport {
    /// How the figures came about, as far as this report has them.
    var method: HTML {
        let points = Self.counting + (isCached ? [caching] : []) + (report.timing.map(timing) ?? [])
        return """
            <section id="method">
            <h2>Method</h2>
            <ul>
            \(points.map { point -> HTML in "<li>\(point)</li>\n" })</ul>
            </section>

            """
    }

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

    static let style: HTML = """
        :root { --ground: #fff; --text: #1c2430; --quiet: #5a6675; --line: #d5dbe3; --rest: #2f6fb2; --graphql: #a03a8c; --hatch: #dcaad3; }
        @media (prefers-color-scheme: dark) {
          :root { --ground: #12161c; --text: #e6eaf0; --quiet: #9aa7b6; --line: #303a46; --rest: #6aa9e9; --graphql: #e58fd3; --hatch: #7a3a6d; }
        }
        body { background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; margin: 0; }
        main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
        h1 { font-size: 1.8rem; line-height: 1.2; } h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
        a { color: inherit; } dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; } dt { color: var(--quiet); } dd { margin: 0; }
        .table { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
        th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
        th[scope="row"], thead th:first-child { text-align: left; } thead th { color: var(--quiet); font-weight: 600; white-space: normal; }
        caption { text-align: left; color: var(--quiet); padding: .25rem .6rem; }
        figure { margin: 1rem 0; } figcaption { color: var(--quiet); } figure svg { display: block; width: 100%; max-width: 48rem; }
        figure text { font: 13px system-ui, sans-serif; fill: var(--text); font-variant-numeric: tabular-nums; }
        .rest { fill: var(--rest); } .graphql { fill: url(#hatch); stroke: var(--graphql); }
        .hatch-ground { fill: var(--hatch); } .hatch-line { fill: var(--graphql); } figure line { stroke: var(--text); stroke-width: 1.5; }
        summary { cursor: pointer; } section { break-inside: avoid; }
        """
}

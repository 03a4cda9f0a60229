import DuetJSON
import Testing

@testable import DuetComparison

@Suite("Conclusion of a scenario") struct ConclusionTests {
    private typealias Scenario = ComparisonReport.ScenarioReport
    private typealias Styled = ComparisonReport.StyleReport

    private func conclude(_ scenario: Scenario) throws -> Conclusion {
        try #require(ComparisonReport.constructed(scenario).conclusions.first).conclusion
    }

    /// Returns the times of five rounds with the given median, in microseconds.
    private func rounds(_ median: Double) -> [Double] { [-2, -1, 0, 1, 2].map { median + $0 } }

    @Test(
        "The conclusion compares the REST style and the GraphQL style with the fewest requests, then the fewest bytes"
    )
    func contenders() throws {
        let all = try conclude(
            .constructed(
                .constructed(.restResources, requests: 3), .constructed(.restComposite, body: 300),
                .constructed(.restSparse, body: 40), .constructed(.graphQL, body: 60),
                .constructed(.graphQLMinified, body: 30), .constructed(.restWarm, body: 1),
                .constructed(.graphQLWarm, body: 1)))
        #expect(all.contenders.rest?.style == .restSparse && all.contenders.graphQL?.style == .graphQLMinified)
        #expect(all.contenders.simpleREST?.style == .restResources)
        // Of equal styles, the simplest style is chosen. If the best style is also the simplest, the conclusion
        // shows it once.
        let equal = try conclude(
            .constructed(.constructed(.restResources), .constructed(.restSparse), .constructed(.graphQL)))
        #expect(equal.contenders.rest?.style == .restResources && equal.contenders.simpleREST == nil)
    }

    @Test("Styles that read aggregates are the best ones, and the conclusion shows what the rows cost in comparison")
    func aggregates() throws {
        let far = rounds(51_000)
        func styled(_ style: Style, requests: Int = 1, body: Int, processor: Double) -> Styled {
            .constructed(style, requests: requests, body: body, far: far, processor: rounds(processor))
        }
        let conclusion = try conclude(
            .constructed(
                styled(.restSparse, body: 5_000, processor: 9_000),
                styled(.restAggregates, requests: 4, body: 100, processor: 300),
                styled(.graphQL, body: 5_100, processor: 9_100),
                styled(.graphQLAggregates, body: 60, processor: 250)))
        #expect(conclusion.contenders.rest?.style == .restAggregates)
        #expect(conclusion.contenders.graphQL?.style == .graphQLAggregates)
        #expect(
            conclusion.details.contains(
                """
                Without aggregates, the best style is REST with details and fields: 1 request instead of 4, \
                5,300 bytes instead of 400 (13 times as many), 51.0 ms at 50 ms RTT and \
                9.00 ms of the server's processor time instead of 300 µs (30 times as much).
                """), "\(conclusion.details)")
    }

    @Test("Without timing, the conclusion compares requests and bytes, and reports every difference")
    func counts() throws {
        let conclusion = try conclude(
            .constructed(.constructed(.restSparse), .constructed(.graphQL, up: 101)))
        #expect(conclusion.findings.map(\.measure) == [.requests, .bytes])
        #expect(
            conclusion.text == """
                REST is cheaper here: under 1% fewer bytes. It takes 350 bytes instead of 351, because its request is 1 byte shorter. \
                Both take 1 request. Compared: REST with details and fields; GraphQL by POST.
                """)
    }

    @Test("The conclusion names each part of the messages that causes or reduces the difference in bytes")
    func parts() throws {
        let conclusion = try conclude(
            .constructed(
                .constructed(.restSparse, up: 218, head: 289, body: 109),
                .constructed(.graphQL, up: 190, document: 54, head: 272, body: 131)))
        #expect(
            conclusion.findings[1].reason == """
                because its request is 26 bytes and the body of its response 22 bytes shorter, \
                although the head of its response is 17 bytes longer
                """)
    }

    @Test("If one response has clearly fewer values than the other, the conclusion states both numbers of values")
    func values() throws {
        let fewer = try conclude(
            .constructed(
                .constructed(.restSparse, body: 2310, values: 42), .constructed(.graphQL, body: 412, values: 3)))
        #expect(fewer.headline == "GraphQL is cheaper here: 73% fewer bytes")
        #expect(
            fewer.findings[1].reason
                == "because the body of its response is 1,898 bytes shorter (3 values instead of 42; the task needs 3)"
        )
        #expect(fewer.findings[1].factor == "3.7 times as many" && fewer.findings[1].saving == "73% fewer")
        let almost = try conclude(
            .constructed(
                .constructed(.restSparse, body: 2310, values: 42), .constructed(.graphQL, body: 412, values: 41)))
        #expect(almost.findings[1].reason == "because the body of its response is 1,898 bytes shorter")
    }

    @Test("Bodies are compared with gzip. If a body is shorter only with gzip, its number of values is not a reason")
    func gzip() throws {
        let conclusion = try conclude(
            .constructed(
                .constructed(.restSparse, body: 4816, gzipped: 1960, values: 209),
                .constructed(.graphQL, body: 3495, values: 140)))
        #expect(
            conclusion.findings[1].reason
                == "because the body of its response is 1,535 bytes shorter (the body is shorter only with gzip; without gzip, it is 1,321 bytes longer)"
        )
    }

    @Test(
        "If one style sends more requests, the conclusion gives the message heads and the round trips as reasons"
    )
    func requests() throws {
        let conclusion = try conclude(
            .constructed(
                .constructed(
                    .restResources, requests: 3, rounds: 2, up: 300, head: 600, body: 90, far: rounds(101_000)),
                .constructed(.graphQLPersisted, up: 200, body: 70, far: rounds(51_200))))
        #expect(
            conclusion.text == """
                GraphQL is cheaper here: 1 request instead of 3, 53% fewer bytes, 49% less time at 50 ms RTT. It takes 470 bytes instead of \
                990 (2.1 times as many), because the heads of its request and its response are 500 bytes shorter than those of 3 requests; \
                51.2 ms at 50 ms RTT instead of 101 ms, with 1 round trip instead of 2. The server's processor time differs by no more \
                than the noise. Compared: REST, a request for each resource; GraphQL by hash.
                """)
    }

    @Test("The conclusion also compares GraphQL with simple REST, which sends a request for each resource")
    func simple() throws {
        let conclusion = try conclude(
            .constructed(
                .constructed(.restResources, requests: 3, far: rounds(151_000)),
                .constructed(.restSparse, far: rounds(51_000)),
                .constructed(.graphQL, far: rounds(51_001))))
        #expect(conclusion.headline == "Neither style is cheaper here")
        #expect(
            conclusion.details == [
                "Both take 1 request and 350 bytes.",
                "Their times differ by no more than the noise.",
                """
                Simple REST takes 3 requests, 350 bytes and 151 ms at 50 ms RTT; GraphQL takes 1, 350 \
                and 51.0 ms.
                """,
                "Compared: REST with details and fields; GraphQL by POST.",
            ])
    }

    @Test("The conclusion lists the measures by which each style is cheaper, with a reason if the figures show one")
    func both() throws {
        let conclusion = try conclude(
            .constructed(
                .constructed(.restSparse, far: rounds(51_000), processor: rounds(300)),
                .constructed(.graphQL, document: 50, far: rounds(51_000), processor: rounds(240))))
        #expect(
            conclusion.headline
                == "Each style is cheaper by some measures: REST takes 12% fewer bytes; GraphQL takes 20% less of the server's processor time"
        )
        #expect(
            conclusion.details[1] == "GraphQL takes 240 µs of the server's processor time instead of 300 µs."
        )
        #expect(conclusion.findings.map(\.outcome) == [.equal, .cheaper(.rest), .noise, .cheaper(.graphQL)])
    }

    @Test("If the style with less processor time has fewer SQL statements, the conclusion gives them as the reason")
    func statements() throws {
        for (fewer, reason) in [(3, "with 1 SQL statement instead of 3"), (1, nil), (nil, nil)] {
            let conclusion = try conclude(
                .constructed(
                    .constructed(.restSparse, statements: fewer, far: rounds(51_000), processor: rounds(300)),
                    .constructed(.graphQL, far: rounds(51_000), processor: rounds(240))))
            #expect(conclusion.findings.last?.reason == reason)
        }
    }

    @Test(
        "If the server reports no processor time, the conclusion compares the times without an added round-trip time"
    )
    func missing() throws {
        let conclusion = try conclude(
            .constructed(
                .constructed(.restSparse, far: [5_200_000], processor: nil),
                .constructed(.graphQL, far: [5_100_000, 5_100_000], processor: nil)))
        #expect(
            conclusion.findings.map(\.measure)
                == [.requests, .bytes, .time(roundTrip: .milliseconds(50)), .time(roundTrip: .zero)])
        #expect(conclusion.details[2] == "The time at 50 ms RTT was measured too few times to be compared.")
    }

    @Test("The conclusion compares no costs if the styles return different results or if there is only one style")
    func none() throws {
        let different = try conclude(
            .constructed(isEqual: false, .constructed(.restSparse), .constructed(.graphQL, up: 500)))
        #expect(
            different.text
                == "The styles return different results here. Their costs are not compared."
        )
        #expect(different.findings.isEmpty)
        let alone = try conclude(.constructed(.constructed(.restSparse)))
        #expect(alone.text == "There is nothing to compare here.")
    }
}

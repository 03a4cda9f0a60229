import Testing

@testable import DuetComparison

@Suite("Medians") struct EstimateTests {
    @Test("The interval of a median is the range of five values. For nine values, it excludes the minimum and maximum")
    func intervals() throws {
        let five = try #require(Estimate([5, 1, 4, 2, 30]))
        #expect(five.median == 4 && five.low == 1 && five.high == 30 && five.isSure)
        let four = try #require(Estimate([4, 1, 3, 2]))
        #expect(four.median == 2.5 && four.low == 1 && four.high == 4 && !four.isSure)
        // The true median is below the second-lowest of nine values in 10 of 512 cases, and above the second-highest
        // value in 10 other cases.
        let nine = try #require(Estimate([9, 8, 7, 6, 5, 4, 3, 2, 1]))
        #expect(nine.median == 5 && nine.low == 2 && nine.high == 8)
        let one = try #require(Estimate([7]))
        #expect(one.median == 7 && one.low == 7 && one.high == 7)
        #expect(Estimate([]) == nil)
    }

    @Test("Two medians are different if their intervals do not overlap and the medians differ by at least 5 %")
    func differences() throws {
        func difference(_ one: [Double], _ other: [Double]) throws -> Estimate.Difference {
            try #require(Estimate(one)).difference(from: try #require(Estimate(other)))
        }
        let five = [98, 99, 100, 101, 102.0]
        #expect(try difference(five, [110, 111, 112, 113, 114]) == .less)
        #expect(try difference([110, 111, 112, 113, 114], five) == .greater)
        #expect(try difference(five, [102, 111, 112, 113, 114]) == .noise)
        #expect(try difference(five, [103, 103, 104, 104, 104]) == .noise)
    }

    // The ranges of 5 and 3 rounds are disjoint by chance in 1 of 28 cases, those of 5 and 2 in 2 of 21, those of 3 and
    // 3 in 1 of 10.
    @Test(
        "Two medians of few rounds are different if their ranges are unlikely to be disjoint by chance",
        arguments: [(3, 5, true), (4, 4, true), (2, 5, false), (3, 3, false), (1, 5, false), (1, 1, false)])
    func fewRounds(few: Int, many: Int, isEnough: Bool) throws {
        let one = try #require(Estimate(Array(repeating: 10.0, count: few)))
        let other = try #require(Estimate(Array(repeating: 20.0, count: many)))
        #expect(one.difference(from: other) == (isEnough ? .less : .tooFewRounds))
        #expect(other.difference(from: one) == (isEnough ? .greater : .tooFewRounds))
    }
}

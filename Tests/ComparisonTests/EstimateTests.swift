import Comparison
import Testing

@Suite("Medians") struct EstimateTests {
    @Test("have the least and the greatest of five rounds around them, and leave outliers out when there are more")
    func intervals() throws {
        let five = try #require(Estimate([5, 1, 4, 2, 30]))
        #expect(five.median == 4 && five.low == 1 && five.high == 30 && five.isSure)
        let four = try #require(Estimate([4, 1, 3, 2]))
        #expect(four.median == 2.5 && four.low == 1 && four.high == 4 && !four.isSure)
        // Of nine values the least and the greatest are each outside with a chance of 10 in 512.
        let nine = try #require(Estimate([9, 8, 7, 6, 5, 4, 3, 2, 1]))
        #expect(nine.median == 5 && nine.low == 2 && nine.high == 8)
        let one = try #require(Estimate([7]))
        #expect(one.median == 7 && one.low == 7 && one.high == 7)
        #expect(Estimate([]) == nil)
    }
}

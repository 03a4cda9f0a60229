import DuetJSON
import Testing

@testable import DuetComparison

@Suite("The changes that answers show") struct ShownChangesTests {
    private func moments(_ moments: (JSONValue, Double)...) -> [ShownChanges.Moment] {
        let start = ContinuousClock.Instant.now
        return moments.map { ShownChanges.Moment(state: $0.0, time: start.advanced(by: .milliseconds(Int($0.1)))) }
    }

    @Test("A change without an answer of its own is missed. Its delay ends with the next answer")
    func missed() {
        let all = moments(("a", 100), ("b", 250), ("c", 300), ("start", 0), ("a", 110), ("c", 900))
        let shown = ShownChanges(Array(all[..<3]), answers: Array(all[3...]), last: "c")
        #expect(shown.missed == [2] && shown.endsEqual)
        #expect(shown.delays == [.milliseconds(10), .milliseconds(650), .milliseconds(600)])
    }

    @Test("Without an answer after a change, there is no delay, and the end differs")
    func late() {
        let all = moments(("a", 100), ("b", 250), ("start", 0), ("a", 99))
        let shown = ShownChanges(Array(all[..<2]), answers: Array(all[2...]), last: "b")
        #expect(shown.missed == [2] && !shown.endsEqual)
        // The answer has arrived before the response to the write.
        #expect(shown.delays == [.zero, nil])
    }
}

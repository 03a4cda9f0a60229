import Foundation
import Synchronization

/// A wall clock that a test advances or sets back.
final class WallClock: Sendable {
    private let time: Mutex<Date>

    init(_ start: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        time = Mutex(start)
    }

    var now: Date { time.withLock { $0 } }

    /// - Parameter seconds: The number of seconds; a negative number sets the clock back.
    func advance(by seconds: Double) {
        time.withLock { $0 += seconds }
    }
}

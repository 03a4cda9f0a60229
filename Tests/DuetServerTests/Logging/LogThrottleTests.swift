import DuetServer
import Testing

@Suite("Repeated log lines") struct LogThrottleTests {
    @Test("For each key, a repeated line is logged at most once per interval, with the number of suppressed lines")
    func interval() {
        let throttle = LogThrottle<String>(.seconds(10))
        let start = ContinuousClock.now
        func admit(_ key: String, after seconds: Double) -> Int? { throttle.admit(key, at: start + .seconds(seconds)) }
        #expect(admit("a", after: 0) == 0)
        #expect(admit("a", after: 1) == nil)
        #expect(admit("b", after: 2) == 0)
        #expect(admit("a", after: 9.9) == nil)
        #expect(admit("a", after: 10) == 2)
        #expect(admit("a", after: 19.9) == nil)
        #expect(admit("a", after: 40) == 1)
        #expect(admit("a", after: 60) == 0)
    }
}

import Dispatch

/// The phases of a request, for the `Server-Timing` field (www.w3.org/TR/server-timing): each stage's duration in
/// milliseconds, and for `sql` the number of statements. `sql` is the time in the transaction; rows are written as they
/// are read, so writing them is part of it, and `encode` is what comes after: entity tag and compression.
struct ServerTiming: Sendable {
    private var last = Self.now
    private(set) var parse: UInt64 = 0
    private(set) var plan: UInt64 = 0
    private(set) var sql: UInt64?
    private(set) var statements = 0
    private(set) var encode: UInt64 = 0

    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    private mutating func lap() -> UInt64 {
        let now = Self.now
        defer { last = now }
        return now &- last
    }

    mutating func endParse() { parse += lap() }
    mutating func endPlan() { plan += lap() }
    mutating func endEncode() { encode += lap() }

    /// - Parameters:
    ///   - nanoseconds: time in the transaction; waiting for a connection is not part of it.
    ///   - statements: how many ran.
    mutating func endSQL(nanoseconds: UInt64, statements: Int) {
        sql = nanoseconds
        self.statements = statements
        _ = lap()
    }

    var fieldValue: String {
        var text = "parse;dur=\(Self.milliseconds(parse)), plan;dur=\(Self.milliseconds(plan))"
        if let sql { text += ", sql;dur=\(Self.milliseconds(sql));desc=\"\(statements)\"" }
        text += ", encode;dur=\(Self.milliseconds(encode))"
        return text
    }

    /// Three decimals.
    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let microseconds = nanoseconds / 1000
        let rest = String(microseconds % 1000)
        return "\(microseconds / 1000)." + (rest.utf8.count == 3 ? rest : String(repeating: "0", count: 3 - rest.utf8.count) + rest)
    }
}

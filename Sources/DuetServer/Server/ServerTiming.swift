import Dispatch
import DuetHTTPServer
import DuetResourceService
import HTTPTypes
import HummingbirdCore

/// The stages of a request for the `Server-Timing` field (www.w3.org/TR/server-timing): the duration of each stage in
/// milliseconds, and the number of statements for `sql`. `sql` is the time in the transaction. This time includes the
/// encoding of the rows, because each row is encoded as soon as it is read. `encode` is the time for the hash in the
/// entity tag and for the compression.
struct ServerTiming: Sendable {
    private var last = Self.now
    private(set) var parse: UInt64 = 0
    /// The validation of a GraphQL document.
    private(set) var validate: UInt64?
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
    mutating func endValidate() { validate = (validate ?? 0) + lap() }
    mutating func endPlan() { plan += lap() }
    mutating func endEncode() { encode += lap() }

    /// Ends the stage `sql`.
    /// - Parameter cost: The cost of the transaction. It excludes the wait for a connection.
    mutating func endSQL(_ cost: Answer.Cost) {
        sql = cost.nanoseconds
        statements = cost.statements
        _ = lap()
    }

    /// Ends the last stage and adds the field to the response.
    mutating func finish(_ response: consuming Response) -> Response {
        endEncode()
        response.headers.append(HTTPField(name: .serverTiming, value: fieldValue))
        return response
    }

    /// The field value: `parse;dur=0.012, plan;dur=0.003, sql;dur=0.104;desc="3", encode;dur=0.006`.
    var fieldValue: String {
        // The text is written as bytes for speed, because every response contains it.
        String(unsafeUninitializedCapacity: 192) { target in
            var count = 0
            func put(_ text: StaticString) {
                for offset in 0..<text.utf8CodeUnitCount { target[count + offset] = text.utf8Start[offset] }
                count += text.utf8CodeUnitCount
            }
            func put(_ number: UInt64, digits: Int = 1) {
                var divisor: UInt64 = 1
                var width = 1
                while number / divisor >= 10 || width < digits {
                    divisor *= 10
                    width += 1
                }
                while divisor > 0 {
                    target[count] = UInt8(ascii: "0") + UInt8(number / divisor % 10)
                    count += 1
                    divisor /= 10
                }
            }
            /// Writes milliseconds with three decimals, limited to one day.
            func put(nanoseconds: UInt64) {
                let microseconds = min(nanoseconds / 1000, 86_400_000_000)
                put(microseconds / 1000)
                put(".")
                put(microseconds % 1000, digits: 3)
            }
            put("parse;dur=")
            put(nanoseconds: parse)
            if let validate {
                put(", validate;dur=")
                put(nanoseconds: validate)
            }
            put(", plan;dur=")
            put(nanoseconds: plan)
            if let sql {
                put(", sql;dur=")
                put(nanoseconds: sql)
                put(";desc=\"")
                put(UInt64(statements))
                put("\"")
            }
            put(", encode;dur=")
            put(nanoseconds: encode)
            return count
        }
    }
}

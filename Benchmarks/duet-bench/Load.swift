import Foundation

/// Measures the throughput in requests per second with wrk.
struct Load {
    let base: String
    let seconds: Int
    let connections: Int

    /// Returns the number of requests per second.
    /// - Throws: An error if wrk fails or reports socket errors, or if a response does not have a success status.
    func rate(_ target: Target) throws -> Double { try run(target).rate }

    /// Sends requests for the configured duration.
    /// - Returns: The number of requests per second, and the total number of requests.
    /// - Throws: An error if wrk fails or reports socket errors, or if a response does not have a success status.
    func run(_ target: Target) throws -> (rate: Double, requests: Int) {
        let script = try target.script(in: FileManager.default.temporaryDirectory)
        defer { if let script { try? FileManager.default.removeItem(at: script) } }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["wrk", "-t1", "-c\(connections)", "-d\(seconds)s"] + (script.map { ["-s", $0.path] } ?? [])
            + [base + target.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, !output.contains("Non-2xx"), !output.contains("Socket errors"),
            let line = output.split(separator: "\n").first(where: { $0.hasPrefix("Requests/sec:") }),
            let rate = line.split(whereSeparator: \.isWhitespace).last.flatMap({ Double($0) }),
            let requests = output.firstMatch(of: /([0-9]+) requests in/).flatMap({ Int($0.1) })
        else { throw Duet.Failure(description: "wrk failed for \(target.path): \(output)") }
        return (rate, requests)
    }

    func compare(_ target: Target, with floor: Target, rounds: Int) throws -> Comparison {
        try Comparison.paired(rounds: rounds, figure: { try rate(target) }, floor: { try rate(floor) })
    }
}

/// A figure and its floor: the figure of another program or request, usually a simpler one. The figure and the floor
/// were measured alternately, so that changes in the speed of the machine do not affect the ratio.
struct Comparison {
    let figure: Double
    let floor: Double
    let ratio: Double
    /// The range from the lowest ratio to the highest ratio.
    let spread: ClosedRange<Double>

    /// Creates a comparison from figures and floors that were measured alternately.
    init(figures: [Double], floors: [Double], ratios: [Double]? = nil) {
        let ratios = ratios ?? zip(figures, floors).map { $0 / $1 }
        figure = figures.median
        floor = floors.median
        ratio = ratios.median
        spread = (ratios.min() ?? 0)...(ratios.max() ?? 0)
    }

    static func paired(rounds: Int, figure: () throws -> Double, floor: () throws -> Double) throws -> Comparison {
        var figures: [Double] = []
        var floors = [try floor()]
        var ratios: [Double] = []
        for _ in 0..<rounds {
            figures.append(try figure())
            floors.append(try floor())
            // The floor of a figure is the mean of the floors that were measured before and after it.
            ratios.append(figures[figures.count - 1] / ((floors[floors.count - 2] + floors[floors.count - 1]) / 2))
        }
        return Comparison(figures: figures, floors: floors, ratios: ratios)
    }
}

extension [Double] {
    var median: Double {
        let sorted = sorted()
        guard let last = sorted.last else { return 0 }
        return sorted.count.isMultiple(of: 2)
            ? (sorted[count / 2 - 1] + sorted[count / 2]) / 2 : sorted.count == 1 ? last : sorted[count / 2]
    }
}

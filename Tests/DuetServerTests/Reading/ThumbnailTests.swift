import DuetEmployees
import DuetResourceService
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@Suite("Thumbnails of employees") struct ThumbnailTests {
    private static let numbers = 10_001...10_400

    /// Returns the filled squares by column and row, and the hue of the colors.
    private static func parts(_ svg: String) throws -> (squares: Set<[Int]>, hue: Int) {
        // A text that matches this pattern is well-formed XML and contains no characters that need escaping.
        let form =
            /<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="112" height="112" viewBox="-1 -1 7 7" role="img" shape-rendering="crispEdges"><title>Employee \d+<\/title><path fill="hsl\((\d+),60%,92%\)" d="M-1-1h7v7h-7z"\/><path fill="hsl\((\d+),60%,30%\)" d="((?:M\d \dh1v1h-1z)+)"\/><\/svg>/
        let match = try #require(svg.wholeMatch(of: form), "\(svg)")
        #expect(match.1 == match.2)
        let squares = match.3.matches(of: /M(\d) (\d)/).map { [Int($0.1) ?? -1, Int($0.2) ?? -1] }
        #expect(Set(squares).count == squares.count)
        return (Set(squares), try #require(Int(match.1)))
    }

    @Test("A thumbnail is symmetric, has 8 squares in its left three columns, and has fewer than 600 bytes")
    func pattern() throws {
        for number in Self.numbers {
            let svg = Thumbnail(employeeNumber: number).svg
            let (squares, _) = try Self.parts(svg)
            #expect(squares == Set(squares.map { [4 - $0[0], $0[1]] }))
            #expect(squares.count { $0[0] <= 2 } == 8)
            #expect(svg.utf8.count < 600)
        }
    }

    @Test("A thumbnail depends only on the employee number, and nearly every number has a different thumbnail")
    func deterministic() throws {
        let pictures = Self.numbers.map { Thumbnail(employeeNumber: $0).svg.replacing(/<title>.*<\/title>/, with: "") }
        #expect(
            pictures == Self.numbers.map { Thumbnail(employeeNumber: $0).svg.replacing(/<title>.*<\/title>/, with: "") }
        )
        #expect(Set(pictures).count > 395)
        // This thumbnail never changes, so that cached thumbnails remain valid after an update of the server.
        let (squares, hue) = try Self.parts(Thumbnail(employeeNumber: 10_004).svg)
        #expect(hue == 110)
        let rows = (0..<5).map { row in String((0..<5).map { squares.contains([$0, row]) ? "#" : "." }) }
        #expect(rows == ["#.#.#", "..#..", ".#.#.", "##.##", "##.##"])
    }

    @Test("The colors of a thumbnail have a contrast of at least 3:1 for every hue")
    func contrast() throws {
        var hues: Set<Int> = []
        // The test reads only the color, because matching the whole image takes fifty times as long.
        for number in 10_001...14_000 {
            let svg = Thumbnail(employeeNumber: number).svg
            let start = try #require(svg.firstRange(of: "hsl(")).upperBound
            hues.insert(try #require(Int(svg[start...].prefix { $0 != "," })))
        }
        #expect(hues == Set(0..<360))
        for hue in hues {
            #expect((Self.luminance(hue, 0.92) + 0.05) / (Self.luminance(hue, 0.30) + 0.05) >= 3, "\(hue)")
        }
    }

    /// Returns the relative luminance (WCAG 2.2) of a color with a saturation of 60 %.
    private static func luminance(_ hue: Int, _ lightness: Double) -> Double {
        let amplitude = 0.6 * min(lightness, 1 - lightness)
        func channel(_ offset: Double) -> Double {
            let place = (offset + Double(hue) / 30).truncatingRemainder(dividingBy: 12)
            let value = lightness - amplitude * max(-1, min(place - 3, 9 - place, 1))
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4)
    }

    @Test(
        "A thumbnail is an SVG image with the cache policy of its employee, and runs one statement",
        arguments: TestBackend.available)
    func served(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let target = "/employees/20001/thumbnail"
            let response = try await server.client.get(
                target, ["Accept": "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"])
            #expect(response.status == 200)
            #expect(response["Content-Type"] == "image/svg+xml")
            #expect(response.text == Thumbnail(employeeNumber: 20_001).svg)
            #expect(response["Cache-Control"] == (try await server.client.get("/employees/20001")["Cache-Control"]))
            #expect(response["Surrogate-Key"] == "Employee:20001")
            #expect(response["Cache-Tag"] == "Employee:20001")
            _ = server.statements.take()
            let again = try await server.client.get(target)
            #expect(server.statements.take().count == 1)
            #expect(again["Server-Timing"]?.contains(#"desc="1""#) == true)
            #expect(again["ETag"] == response["ETag"])
            let tag = try #require(response["ETag"])
            for _ in 0..<2 {
                let unchanged = try await server.client.get(target, ["If-None-Match": tag])
                #expect(unchanged.status == 304 && unchanged.isEmpty)
                #expect(unchanged["Surrogate-Key"] == "Employee:20001")
            }
            let head = try await server.client.head(target)
            #expect(head.status == 200 && head.isEmpty && head["ETag"] == tag)
        }
    }

    @Test("The thumbnail of an unknown or deleted employee is a 404", arguments: TestBackend.available)
    func unknown(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let target = "/employees/20001/thumbnail"
            let tag = try #require(try await server.client.get(target)["ETag"])
            #expect(try await server.client.get(target, ["If-None-Match": tag]).status == 304)
            #expect(try await server.client.send(.DELETE, "/employees/20001").status == 204)
            for target in [target, "/employees/99999/thumbnail"] {
                let response = try await server.client.get(target, ["If-None-Match": tag])
                #expect(response.status == 404)
                #expect(response.code == "unknown-employee")
            }
        }
    }

    @Test("A thumbnail request with an unacceptable media type, a parameter or an invalid number is rejected")
    func refused() async throws {
        try await withServer(.sqlite) { server in
            let png = try await server.client.get("/employees/20001/thumbnail", ["Accept": "image/png"])
            #expect(png.status == 406 && png.strings("allowed") == ["image/svg+xml"])
            #expect(try await server.client.get("/employees/20001/thumbnail?size=3").code == "unknown-parameter")
            let wrong = try await server.client.get("/employees/x/thumbnail")
            #expect(wrong.status == (try await server.client.get("/employees/x").status))
            #expect(wrong.code == (try await server.client.get("/employees/x").code))
        }
    }
}

import DuetServer
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@Suite("Methods") struct MethodTests {
    /// Returns every path with its parameters filled in, and the allowed methods in the order of `Allow`.
    private static func paths() throws -> [(path: String, allow: String)] {
        try Dictionary(grouping: RouteTable.employees.operations, by: \.path).map { path, operations in
            let methods = Set(operations.map(\.method)).union(["OPTIONS"])
            let served = methods.contains("GET") ? methods.union(["HEAD"]) : methods
            let filled = path.replacing("{employeeNumber}", with: "20001").replacing("{departmentNumber}", with: "d005")
                .replacing("{code}", with: "conflict")
            let order = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
            return (filled, order.filter(served.contains).joined(separator: ", "))
        }.sorted { $0.path < $1.path }
    }

    @Test("A method that a path does not support is a 405 that lists the supported methods")
    func wrongMethods() async throws {
        try await withServer(.sqlite) { server in
            let paths = try Self.paths()
            #expect(paths.count >= 16)
            for (path, allow) in paths {
                let taken = allow.split(separator: ", ").map(String.init)
                for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "MKCOL"]
                where !taken.contains(method) {
                    let response = try await server.client.send(.RAW(value: method), path)
                    #expect(response.status == 405, "\(method) \(path)")
                    #expect(response["Allow"] == allow, "\(method) \(path)")
                    #expect(response["Cache-Control"] == "no-store", "\(method) \(path)")
                    #expect(response["X-Request-ID"] != nil)
                    guard method != "HEAD" else { continue }
                    #expect(response.code == "method-not-allowed", "\(method) \(path)")
                    #expect(response.strings("allowed") == taken, "\(method) \(path)")
                }
            }
            // No request changed or deleted anything.
            #expect(try await server.client.get("/employees/20001").status == 200)
        }
    }

    @Test("The response to OPTIONS lists the supported methods and has no body")
    func options() async throws {
        try await withServer(.sqlite) { server in
            for (path, allow) in try Self.paths() {
                let response = try await server.client.send(.OPTIONS, path)
                #expect(response.status == 204, "\(path)")
                #expect(response["Allow"] == allow, "\(path)")
                #expect(response["Cache-Control"] != nil, "\(path)")
                #expect(response.isEmpty)
                #expect(response["Content-Length"] == nil)
            }
            let everything = try await server.client.exchange("OPTIONS", "*")
            #expect(everything.hasPrefix("HTTP/1.1 204 "))
            #expect(everything.localizedStandardContains("\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n"))
        }
    }

    @Test("An unknown method is a 501 with a request identifier")
    func unreadable() async throws {
        try await withServer(.sqlite) { server in
            var names: Set<Substring> = []
            for method in ["BREW", "get", "GETS"] {
                let answer = try await server.client.exchange(method, "/employees")
                #expect(answer.hasPrefix("HTTP/1.1 501 "), "\(method)")
                #expect(answer.contains(#""code":"not-implemented""#), "\(method)")
                let name = try #require(answer.firstMatch(of: /"requestID":"([0-9a-f]{16})"/)?.1)
                #expect(answer.localizedStandardContains("\r\nX-Request-ID: \(name)\r\n"))
                names.insert(name)
            }
            #expect(names.count == 3)
        }
    }

    @Test("Any method at an unknown path is a 404")
    func unknownPath() async throws {
        try await withServer(.sqlite) { server in
            for method in ["GET", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"] {
                let response = try await server.client.send(.RAW(value: method), "/nothing")
                #expect(response.status == 404, "\(method)")
                #expect(response.code == "unknown-path", "\(method)")
            }
        }
    }

    @Test("The response to HEAD has the header fields of GET and no body", arguments: TestBackend.available)
    func head(backend: TestBackend) async throws {
        try await withServer(backend, data: .sampleAndCrew(50)) { server in
            for (path, allow) in try Self.paths() where allow.hasPrefix("GET") {
                let compressed: HTTPHeaders = ["Accept-Encoding": "gzip"]
                let lines: HTTPHeaders = ["Accept": "application/x-ndjson", "Accept-Encoding": "gzip"]
                var targets: [(String, HTTPHeaders)] = [(path, [:]), (path, compressed), (path + "?oops", [:])]
                if path == "/employees" {
                    targets.append(("/employees?first=50&details=salaries", compressed))
                    targets.append((path, lines))
                    for type in ["text/csv", "image/png"] { targets.append((path, ["Accept": type])) }
                    for target in ["/employees?first=2", "/employees?api", "/employees/99"] {
                        targets.append((target, [:]))
                    }
                }
                for (target, headers) in targets {
                    let get = try await server.client.get(target, headers)
                    let head = try await server.client.head(target, headers)
                    #expect(head.status == get.status, "\(target)")
                    #expect(head.isEmpty)
                    #expect(Self.comparable(head) == Self.comparable(get), "\(target) \(headers)")
                }
            }
        }
    }

    /// Returns the header fields that must be equal in the responses to GET and HEAD.
    private static func comparable(_ response: TestResponse) -> [String] {
        let isProblem = response["Content-Type"] == "application/problem+json"
        // Each read changes the metrics.
        let hasOwnLength = isProblem || response["Content-Type"]?.hasPrefix("text/plain; version=") == true
        return response.headers.map { ($0.name.lowercased(), $0.value) }.filter { name, _ in
            // These fields differ for each request. The length of a problem differs with its request identifier. A
            // response to HEAD need not announce chunks (RFC 9110 §9.3.2).
            !["date", "x-request-id", "server-timing", "transfer-encoding"].contains(name)
                && !(hasOwnLength && name == "content-length")
        }.map { "\($0.0): \($0.1)" }.sorted()
    }
}

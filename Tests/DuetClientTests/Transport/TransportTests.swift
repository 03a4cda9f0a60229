import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting
import Testing

@Suite("Transports with the server", .server(employees: 2000))
struct TransportTests {
    @Test("A transport receives the same response as another HTTP client", arguments: TransportKind.allCases)
    func get(kind: TransportKind) async throws {
        let server = try Server.shared
        let expected = try await server.get("/employees/10004?details=titles&details=salaries")
        let response = try await kind.make().send(
            TransportRequest(.get, server.base + "/employees/10004?details=titles&details=salaries"))
        #expect(response.head.status == .ok)
        #expect(response.head.headerFields[.contentType] == "application/json")
        #expect(try await response.text() == expected.body)
    }

    @Test(
        "A transport sends the method, the header fields and the body of a POST request",
        arguments: TransportKind.allCases)
    func post(kind: TransportKind) async throws {
        let server = try Server.shared
        let response = try await kind.make().send(
            TransportRequest(
                .post, server.base + "/graphql", [.contentType: "application/json", .accept: "application/json"],
                body: #"{"query": "{ employee(id: 10004) { lastName } }"}"#))
        #expect(response.head.status == .ok)
        #expect(try await response.text() == #"{"data":{"employee":{"lastName":"Koblick"}}}"#)
    }

    @Test("A response with an error status is returned", arguments: TransportKind.allCases)
    func notFound(kind: TransportKind) async throws {
        let response = try await kind.make().send(TransportRequest(.get, Server.shared.base + "/employees/9"))
        #expect(response.head.status == .notFound)
        #expect(response.head.headerFields[.contentType] == "application/problem+json")
        #expect(try await response.text().contains(#""status":404"#))
    }

    @Test("A gzip body is decoded, and its encoded length is available", arguments: TransportKind.allCases)
    func gzip(kind: TransportKind) async throws {
        let server = try Server.shared
        let path = "/employees?first=1000"
        let response = try await kind.make().send(TransportRequest(.get, server.base + path))
        #expect(response.head.headerFields[.contentEncoding] == nil)
        #expect(response.head.headerFields[.contentLength] == nil)
        let length = try #require(response.encodedLength)
        let expected = try await server.get(path).body
        #expect(try await response.text() == expected)
        #expect(length < expected.utf8.count / 2)
    }

    @Test("The response to HEAD has no body", arguments: TransportKind.allCases)
    func head(kind: TransportKind) async throws {
        let response = try await kind.make().send(TransportRequest(.head, Server.shared.base + "/employees?first=1000"))
        #expect(response.head.status == .ok)
        #expect(try await response.text() == "")
    }

    @Test("Concurrent requests receive their own responses", arguments: TransportKind.allCases)
    func concurrent(kind: TransportKind) async throws {
        let transport = kind.make()
        let server = try Server.shared
        let numbers = 10_001...10_100
        let bodies = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in numbers {
                group.addTask {
                    let address = "\(server.base)/employees/\(number)"
                    return (number, try await transport.send(TransportRequest(.get, address)).text())
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for number in numbers { #expect(bodies[number]?.hasPrefix(#"{"employeeNumber":\#(number),"#) == true) }
    }

    @Test("A long body is read part by part", arguments: TransportKind.allCases)
    func streaming(kind: TransportKind) async throws {
        let server = try Server.shared
        let transport = kind.make()
        let response = try await transport.send(
            TransportRequest(.get, server.base + "/employees?details=salaries", [.accept: "application/x-ndjson"]))
        var lines = 0
        for try await part in response.body {
            #expect(!part.isEmpty)
            lines += part.count { $0 == UInt8(ascii: "\n") }
        }
        #expect(lines == 2000)
    }
}

import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting
import Testing

@Suite("A cached web service", .server())
struct ServerCachingTests {
    private let clock = WallClock(Date())

    /// Returns a WebServiceProxy that caches the server's responses.
    private func service(_ server: Server, folder: URL? = nil) throws -> WebServiceProxy {
        let cache = ResponseCache(folder: folder, now: { [clock] in clock.now })
        return try WebServiceProxy(server, transport: CachingTransport(DefaultTransport.make(), cache: cache))
    }

    private func read(_ service: WebServiceProxy, _ path: ResourcePath) async throws -> (Employee, CacheStatus?) {
        let response: WebServiceResponse<Employee> = try await service.invoke(.get, path)
        return (response.content, CacheStatus(response.head))
    }

    @Test("A fresh response is returned from the cache. A stale response is validated")
    func validation() async throws {
        let service = try service(.shared)
        let first = try await read(service, "employees/10004")
        #expect(first.1?.source == .forwarded)
        let second = try await read(service, "employees/10004")
        #expect(second.1?.source == .stored)
        #expect(second.0 == first.0)
        clock.advance(by: 3600)
        let third = try await read(service, "employees/10004")
        #expect(third.1?.source == .validated)
        #expect(third.0 == first.0)
    }

    @Test("After another client changes an employee, a read returns the new state when the stored response is stale")
    func change() async throws {
        let (reader, writer) = (try service(.shared), try WebServiceProxy(.shared))
        let number = try await writer.makeEmployee().employeeNumber
        #expect(try await read(reader, "employees/\(number)").0.lastName == "Ångström")
        try await writer.invoke(.patch, "employees/\(number)", content: .json(["lastName": "Peac"]))
        #expect(try await read(reader, "employees/\(number)").0.lastName == "Ångström")
        clock.advance(by: 3600)
        let (employee, status) = try await read(reader, "employees/\(number)")
        #expect(employee.lastName == "Peac")
        #expect(status?.source == .forwarded)
    }

    @Test("After a write through the cache, the next read fetches the employee again")
    func write() async throws {
        let service = try service(.shared)
        let number = try await service.makeEmployee().employeeNumber
        let read: @Sendable () async throws -> Employee = {
            try await service.invoke(.get, "employees/\(number)", arguments: ["details": "titles"])
        }
        #expect(try await read().lastName == "Ångström")
        try await service.invoke(.patch, "employees/\(number)", content: .json(["lastName": "Peac"]))
        #expect(try await read().lastName == "Peac")
    }

    @Test("The JSON and CSV representations of one URL are cached separately")
    func representations() async throws {
        let service = try service(.shared)
        let path: ResourcePath = "employees/10004/titles"
        for _ in 0..<2 {
            let titles: [Employee.Title] = try await service.invoke(.get, path)
            let csv = try await service.invoke(.get, path, accept: "text/csv") {
                String(decoding: $0.content, as: UTF8.self)
            }
            #expect(titles.count == 2)
            #expect(csv.hasPrefix("title,"))
        }
    }

    @Test("Stored employees and thumbnails are available after a restart, even without a server")
    func offline() async throws {
        try await SampleDatabase.with { folder, database in
            let caches = folder.appending(path: "caches")
            let service = try await Server.with(["--database", database], in: folder) { server in
                let service = try self.service(server, folder: caches)
                _ = try await read(service, "employees/10004")
                _ = try await service.invoke(.get, "employees/10004/thumbnail", accept: "image/*") { $0.content }
                let cache = try #require(service.transport as? CachingTransport).cache
                await cache.flush()
                return try self.service(server, folder: caches)
            }
            clock.advance(by: 7200)
            let (employee, status) = try await read(service, "employees/10004")
            #expect(employee.lastName == "Koblick")
            #expect(status?.source == .storedOnError)
            #expect(status.map { $0.age >= .seconds(7199) } == true)
            let thumbnails = ResourceLoader(transport: service.transport, headerFields: [.accept: "image/*"])
            let thumbnail = try await thumbnails.load(service.request(.get, "employees/10004/thumbnail"))
            #expect(String(decoding: thumbnail, as: UTF8.self).hasPrefix("<svg"))
            let error = await #expect(throws: WebServiceError.self) { try await read(service, "employees/10005") }
            #expect(error?.transportError?.code == .cannotConnect)
        }
    }

    @Test("Concurrent loads of one thumbnail return equal values, and the value remains in memory")
    func thumbnails() async throws {
        let service = try service(.shared)
        let loader = ResourceLoader(transport: service.transport, headerFields: [.accept: "image/*"]) { content, head in
            #expect(head.headerFields[.contentType] == "image/svg+xml")
            return content.count
        }
        let request = try service.request(.get, "employees/10004/thumbnail")
        let lengths = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await loader.load(request) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(lengths.count == 1)
        #expect(loader.value(inMemory: request) == lengths.first)
    }
}

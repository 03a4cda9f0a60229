import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting
import Testing

@Suite("The folder of a response cache")
struct ResponseCacheFolderTests {
    /// Returns all regular files in the folder and its subfolders, sorted by path.
    private func files(_ folder: URL) throws -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        return try (all?.allObjects as? [URL] ?? []).filter {
            try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        }.sorted { $0.path < $1.path }
    }

    /// Stores responses with `max-age=1000` and the path as the body, and waits until the files are written.
    private func store(_ paths: [String], in folder: URL) async throws {
        let origin = Origin(folder: folder)
        origin.respond { TransportResponse(.ok, [.cacheControl: "max-age=1000", .eTag: #""1""#], $0.path ?? "") }
        for path in paths { try await origin.send(.get, path) }
        await origin.cache.flush()
    }

    @Test("Responses survive a restart")
    func restart() async throws {
        try await TemporaryFolder.with { folder in
            try await store(["/a", "/a?x=1", "/b"], in: folder)
            let origin = Origin(folder: folder)
            origin.stop()
            origin.clock.advance(by: 10)
            for path in ["/a", "/a?x=1", "/b"] {
                let reply = try await origin.send(.get, path)
                #expect(reply.body == path)
                #expect(reply.source == .stored)
                #expect(reply.cache?.age == .seconds(10))
                #expect(reply.fields[.eTag] == #""1""#)
            }
            #expect(origin.requests.isEmpty)
        }
    }

    @Test("Responses that do not fit in memory are served from the folder")
    func smallMemory() async throws {
        try await TemporaryFolder.with { folder in
            var limits = ResponseCache.Limits()
            limits.memory = 0
            let origin = Origin(folder: folder, limits: limits)
            origin.respond(.ok, [.cacheControl: "max-age=1000"], "a")
            try await origin.send()
            #expect(try await origin.send().source == .stored)
            await origin.cache.flush()
            #expect(try await origin.send().source == .stored)
        }
    }

    @Test("Each representation of a resource has a separate file. Validation updates the file")
    func variants() async throws {
        try await TemporaryFolder.with { folder in
            let origin = Origin(folder: folder)
            origin.respond { request in
                request.headerFields.contains(.ifNoneMatch)
                    ? TransportResponse(.notModified, [.cacheControl: "max-age=1000"])
                    : TransportResponse(.ok, [.vary: "Accept", .eTag: #""1""#], request.headerFields[.accept] ?? "")
            }
            for _ in 0..<2 {
                for type in ["text/csv", "text/plain"] { try await origin.send(.get, "/a", [.accept: type]) }
            }
            await origin.cache.flush()
            #expect(try files(folder).count == 2)
            let second = Origin(folder: folder)
            second.stop()
            let reply = try await second.send(.get, "/a", [.accept: "text/plain"])
            #expect(reply.body == "text/plain")
            #expect(reply.source == .stored)
        }
    }

    @Test("A truncated or damaged file is removed, and the request goes to the server")
    func damaged() async throws {
        try await TemporaryFolder.with { folder in
            try await store(["/a"], in: folder)
            let file = try #require(try files(folder).first)
            let whole = try Data(contentsOf: file)
            var damaged = [Data(), Data("duet-response 2\n".utf8) + whole.dropFirst(16), whole + Data("x".utf8)]
            damaged += stride(from: 1, to: whole.count, by: 13).map { whole.prefix($0) }
            damaged += stride(from: 0, to: whole.count, by: 29).map { index in
                var bytes = whole
                bytes[index] ^= 0x20
                return bytes
            }
            for bytes in damaged {
                try bytes.write(to: file)
                let notices = Recorder<ResponseCacheNotice>()
                let origin = Origin(folder: folder, notify: notices.record)
                origin.respond(.ok, [:], "from the server")
                #expect(try await origin.send().body == "from the server")
                let removed = notices.values
                guard case .removedUnreadableFile(let url, _)? = removed.first, removed.count == 1 else {
                    Issue.record("Other notices: \(removed)")
                    continue
                }
                #expect(url.lastPathComponent == file.lastPathComponent)
                await origin.cache.clear()
            }
        }
    }

    @Test("The content of a file that has the name of another file is not returned")
    func renamed() async throws {
        try await TemporaryFolder.with { folder in
            try await store(["/a", "/b"], in: folder)
            let (first, second) = (try files(folder)[0], try files(folder)[1])
            let bytes = try Data(contentsOf: first)
            try bytes.write(to: second)
            let origin = Origin(folder: folder)
            origin.respond(.ok, [:], "from the server")
            let replies = [try await origin.send(.get, "/a"), try await origin.send(.get, "/b")]
            #expect(replies.map(\.source).filter { $0 == .forwarded }.count == 1)
            #expect(replies.filter { $0.source == .stored }.allSatisfy { ["/a", "/b"].contains($0.body) })
            await origin.cache.flush()
        }
    }

    @Test("A file does not contain the URL or the credentials of the request, and only the owner can read it")
    func credentials() async throws {
        try await TemporaryFolder.with { folder in
            let origin = Origin(folder: folder)
            origin.respond(.ok, [.cacheControl: "max-age=1000", .vary: "Authorization"], "a")
            try await origin.send(.get, "/secret-path?token=secret-query", [.authorization: "Bearer secret-token"])
            await origin.cache.flush()
            let file = try #require(try files(folder).first)
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self) + file.path
            #expect(!text.contains("secret"))
            let permissions = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(permissions == 0o600)
        }
    }

    @Test("If the folder exceeds its size limit, the least recently used files are removed")
    func bound() async throws {
        try await TemporaryFolder.with { folder in
            var limits = ResponseCache.Limits()
            limits.disk = 100_000
            limits.memory = 0
            let origin = Origin(folder: folder, limits: limits)
            let body = String(repeating: "x", count: 9_000)
            origin.respond(.ok, [.cacheControl: "max-age=1000"], body)
            for number in 0..<30 {
                try await origin.send(.get, "/\(number)")
                await origin.cache.flush()
                origin.clock.advance(by: 1)
                // This read makes the first response the most recently used one.
                #expect(try await origin.send(.get, "/0").source == .stored)
            }
            let size = try files(folder).reduce(0) {
                try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
            }
            #expect(size <= 100_000)
            #expect(size >= 50_000)
            #expect(try await origin.send(.get, "/29").source == .stored)
            #expect(try await origin.send(.get, "/1").source == .forwarded)
            await origin.cache.flush()
        }
    }

    @Test("Reading a response from memory counts as a use of the file")
    func useFromMemory() async throws {
        try await TemporaryFolder.with { folder in
            var limits = ResponseCache.Limits()
            limits.disk = 40_000
            let origin = Origin(folder: folder, limits: limits)
            origin.respond(.ok, [.cacheControl: "max-age=1000"], String(repeating: "x", count: 9_000))
            for path in ["/a", "/b", "/c"] {
                try await origin.send(.get, path)
                origin.clock.advance(by: 1)
            }
            origin.clock.advance(by: 100)
            #expect(try await origin.send(.get, "/a").source == .stored)
            for path in ["/d", "/e"] { try await origin.send(.get, path) }
            await origin.cache.flush()
            let second = Origin(folder: folder, limits: limits)
            second.stop()
            second.clock.advance(by: 110)
            #expect(try await second.send(.get, "/a").source == .stored)
            await #expect(throws: TransportError.self) { try await second.send(.get, "/b") }
        }
    }

    @Test("Clearing the cache removes only files of the cache")
    func clear() async throws {
        try await TemporaryFolder.with { folder in
            try await store(["/a", "/b"], in: folder)
            let other = folder.appending(path: "other.txt")
            try Data("x".utf8).write(to: other)
            await ResponseCache(folder: folder).clear()
            #expect(try files(folder).map(\.lastPathComponent) == ["other.txt"])
        }
    }

    @Test("An invalidated response is not read from the folder or from the queue of pending writes")
    func invalidation() async throws {
        try await TemporaryFolder.with { folder in
            let origin = Origin(folder: folder)
            origin.respond(.ok, [.cacheControl: "max-age=1000"], "a")
            try await origin.send()
            try await origin.send(.put)
            let reply = try await origin.send(.get, "/a", [.cacheControl: "only-if-cached"])
            #expect(reply.status == 504)
            await origin.cache.flush()
            #expect(try files(folder).isEmpty)
        }
    }

    @Test("If the folder cannot be created, the cache works in memory and reports the error once")
    func unusable() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder.appending(path: "file")
            try Data().write(to: file)
            let notices = Recorder<ResponseCacheNotice>()
            let origin = Origin(folder: file.appending(path: "cache"), notify: notices.record)
            origin.respond(.ok, [.cacheControl: "max-age=1000"], "a")
            for path in ["/a", "/b"] {
                try await origin.send(.get, path)
                await origin.cache.flush()
                #expect(try await origin.send(.get, path).source == .stored)
            }
            let reported = notices.values
            guard case .cannotWrite? = reported.first, reported.count == 1 else {
                Issue.record("Other notices: \(reported)")
                return
            }
            // The cache uses the folder as soon as the folder can be created.
            try FileManager.default.removeItem(at: file)
            try await origin.send(.get, "/c")
            await origin.cache.flush()
            guard case .writesAgain? = notices.values.last else {
                Issue.record("Other notices: \(notices.values)")
                return
            }
        }
    }

    @Test("A folder that the system removes is created again")
    func removedFolder() async throws {
        try await TemporaryFolder.with { folder in
            let origin = Origin(folder: folder.appending(path: "cache"))
            origin.respond(.ok, [.cacheControl: "max-age=1000"], "a")
            try await origin.send(.get, "/a")
            await origin.cache.flush()
            try FileManager.default.removeItem(at: folder.appending(path: "cache"))
            try await origin.send(.get, "/b")
            await origin.cache.flush()
            #expect(try files(folder).count == 1)
        }
    }

    @Test("While too many responses wait to be written, new responses are stored only in memory")
    func queue() async throws {
        try await TemporaryFolder.with { folder in
            var limits = ResponseCache.Limits()
            limits.queue = 0
            let notices = Recorder<ResponseCacheNotice>()
            let origin = Origin(folder: folder, limits: limits, notify: notices.record)
            origin.respond(.ok, [.cacheControl: "max-age=1000"], "a")
            try await origin.send()
            await origin.cache.flush()
            #expect(try await origin.send().source == .stored)
            #expect(try files(folder).isEmpty)
            #expect(notices.values == [.skippedWrite])
        }
    }
}

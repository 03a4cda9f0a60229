import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting
import Testing

@Suite("Processes that share a response cache")
struct ResponseCacheProcessTests {
    /// Returns a body that consists of repetitions of the path, so that a test detects a truncated body.
    private static func body(_ path: String) -> String {
        String(repeating: "\(path);", count: 3000)
    }

    private static func origin(
        _ folder: URL, _ limits: ResponseCache.Limits = .init(),
        notify: @escaping @Sendable (ResponseCacheNotice) -> Void = { _ in }
    ) -> Origin {
        // The modification times of files come from the system clock. A cache removes temporary files that are old by
        // its own clock. If its clock were ahead of the system clock, it could remove files that another process is
        // writing.
        let past = WallClock(Date(timeIntervalSince1970: 1_700_000_000))
        let origin = Origin(folder: folder, limits: limits, clock: past, notify: notify)
        origin.respond { request in
            TransportResponse(.ok, [.cacheControl: "max-age=1000"], body(request.path ?? ""))
        }
        return origin
    }

    @Test("A process that is killed during a write leaves only complete responses")
    func kill() async throws {
        try await TemporaryFolder.with { folder in
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
                let origin = ResponseCacheProcessTests.origin(URL(fileURLWithPath: path))
                for number in 0..<50 { try await origin.send(.get, "/\(number % 10)?\(number)") }
                // The first 50 responses are written. At the kill, a later response is being written, and others wait.
                await origin.cache.flush()
                for number in 50..<1000 { try await origin.send(.get, "/\(number % 10)?\(number)") }
                Foundation.kill(getpid(), SIGKILL)
            }
            let notices = Recorder<ResponseCacheNotice>()
            let origin = Self.origin(folder, notify: notices.record)
            for number in 0..<1000 {
                let path = "/\(number % 10)?\(number)"
                let reply = try await origin.send(.get, path)
                #expect(reply.body == Self.body(path))
                if number < 50 { #expect(reply.source == .stored) }
            }
            await origin.cache.flush()
            #expect(notices.values == [])
        }
    }

    @Test("The temporary file of a killed process is removed after an hour")
    func leftovers() async throws {
        try await TemporaryFolder.with { folder in
            let first = Self.origin(folder)
            try await first.send()
            await first.cache.flush()
            let shard = folder.appending(path: "responses-1")
            let names = try FileManager.default.contentsOfDirectory(atPath: shard.path)
            let leftover = shard.appending(path: "\(try #require(names.first))/writing-1")
            let other = shard.appending(path: "\(try #require(names.first))/writing-2")
            for (file, age) in [(leftover, 3601.0), (other, 10)] {
                try Data("duet-resp".utf8).write(to: file)
                try FileManager.default.setAttributes(
                    [.modificationDate: first.clock.now - age], ofItemAtPath: file.path)
            }
            let second = Self.origin(folder)
            try await second.send(.get, "/b")
            await second.cache.flush()
            #expect(!FileManager.default.fileExists(atPath: leftover.path))
            #expect(FileManager.default.fileExists(atPath: other.path))
        }
    }

    @Test("Two processes can use one folder at the same time and read each other's responses")
    func sharing() async throws {
        try await TemporaryFolder.with { folder in
            var limits = ResponseCache.Limits()
            limits.disk = 400_000
            limits.memory = 0
            let notices = Recorder<ResponseCacheNotice>()
            let origin = Self.origin(folder, limits, notify: notices.record)
            async let other = #expect(processExitsWith: .success) { [path = folder.path as String] in
                var limits = ResponseCache.Limits()
                limits.disk = 400_000
                limits.memory = 0
                let origin = ResponseCacheProcessTests.origin(URL(fileURLWithPath: path), limits)
                for number in 0..<300 {
                    let path = "/\(number % 40)"
                    let reply = try await origin.send(.get, path)
                    #expect(reply.body == ResponseCacheProcessTests.body(path))
                }
                await origin.cache.flush()
            }
            for number in 0..<300 {
                let path = "/\(number * 7 % 40)"
                let reply = try await origin.send(.get, path)
                #expect(reply.body == Self.body(path))
            }
            _ = await other
            await origin.cache.flush()
            #expect(notices.values == [])

            // A cache finds a response that another process writes later.
            await #expect(processExitsWith: .success) { [path = folder.path as String] in
                let origin = ResponseCacheProcessTests.origin(URL(fileURLWithPath: path))
                try await origin.send(.get, "/other")
                await origin.cache.flush()
            }
            #expect(try await origin.send(.get, "/other").source == .stored)
        }
    }

    @Test("On a full disk, the cache stores new responses in memory and still returns the responses in files")
    func fullDisk() async throws {
        try await TemporaryFolder.with { folder in
            await #expect(processExitsWith: .success) { [path = folder.path as String] in
                let notices = Recorder<ResponseCacheNotice>()
                let origin = ResponseCacheProcessTests.origin(URL(fileURLWithPath: path), notify: notices.record)
                try await origin.send(.get, "/before")
                await origin.cache.flush()
                // From this point, the system writes only the first 4 KiB of a file, as on a full disk.
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                limit.rlim_cur = 4096
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                for path in ["/a", "/b"] {
                    try await origin.send(.get, path)
                    await origin.cache.flush()
                    #expect(try await origin.send(.get, path).source == .stored)
                }
                guard case .diskFull? = notices.values.first, notices.values.count == 1 else {
                    Issue.record("Other notices: \(notices.values)")
                    return
                }
                origin.cache.clearMemory()
                #expect(try await origin.send(.get, "/before").source == .stored)
                limit.rlim_cur = limit.rlim_max
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                try await origin.send(.get, "/c")
                await origin.cache.flush()
                guard case .writesAgain? = notices.values.last else {
                    Issue.record("Other notices: \(notices.values)")
                    return
                }
            }
            let origin = Self.origin(folder)
            origin.stop()
            for path in ["/before", "/c"] {
                let reply = try await origin.send(.get, path)
                #expect(reply.source == .stored)
            }
            await #expect(throws: TransportError.self) { try await origin.send(.get, "/a") }
        }
    }
}

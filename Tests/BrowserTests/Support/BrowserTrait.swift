import DuetSQLDatabase
import DuetServer
import Foundation
import ProcessTesting
import ServerTestSupport
import Synchronization
import Testing

/// Provides one server and one browser for all tests of a suite. A test gets the page of an earlier test, without its
/// state, because the process of a new page takes longer than most tests.
struct BrowserTrait: SuiteTrait, TestScoping {
    /// The server of a suite.
    enum Source: Sendable {
        /// A sample of employees.
        case sample(ServerSettings)
        /// A sample of employees, whose data requires the token of ``TokenServer``.
        case sampleWithToken
        /// A database other than employees.
        case foreign(ForeignServer)
    }

    let source: Source

    struct Running: Sendable {
        let devTools: DevTools
        let origin: String
        /// The database, or nil for a sample.
        var database: Database?
        /// The pages of tests that have passed.
        let pages = IdlePages()
    }

    /// Pages without state, which the next tests use.
    final class IdlePages: Sendable {
        private let pages = Mutex<[BrowserPage]>([])

        func take() -> BrowserPage? { pages.withLock { $0.popLast() } }

        func put(_ page: BrowserPage) { pages.withLock { $0.append(page) } }
    }

    @TaskLocal static var running: Running?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await TestSlots.without {
                switch source {
                case .sample(let settings):
                    try await SampleServer.with(settings: settings) { origin in
                        try await Self.run(function, on: origin, nil)
                    }
                case .sampleWithToken:
                    try await SampleServer.with { origin in
                        try await TokenServer.with(before: origin) { origin in
                            try await Self.run(function, on: origin, nil)
                        }
                    }
                case .foreign(let server):
                    try await server.run { origin, database in try await Self.run(function, on: origin, database) }
                }
            }
        }
    }

    private static func run(
        _ function: @Sendable @concurrent () async throws -> Void, on origin: String, _ database: Database?
    ) async throws {
        try await DevTools.withBrowser { devTools in
            try await $running.withValue(Running(devTools: devTools, origin: origin, database: database)) {
                try await function()
            }
        }
    }
}

extension Trait where Self == BrowserTrait {
    static var browser: BrowserTrait { BrowserTrait(source: .sample(ServerSettings())) }

    /// The trait with a server that stores the statements of requests, like the server that `make run` starts.
    static var browserKeepingStatements: BrowserTrait {
        var settings = ServerSettings()
        settings.keepsStatements = true
        return BrowserTrait(source: .sample(settings))
    }

    /// The trait with a server that requires the token of ``TokenServer``.
    static var browserRequiringToken: BrowserTrait { BrowserTrait(source: .sampleWithToken) }

    /// The trait with the program `duet`, which serves a database other than employees.
    static func browser(with server: ForeignServer) -> BrowserTrait { BrowserTrait(source: .foreign(server)) }
}

/// Provides an empty page. Checks afterwards that the page has no exception, no violation of the
/// Content-Security-Policy and no request to another origin.
/// - Parameter phoneWidth: The width of the phone to emulate, if any.
func withBrowserPage<Value>(
    phoneWidth: Int? = nil, sourceLocation: SourceLocation, _ body: (BrowserPage) async throws -> Value
) async throws -> Value {
    let running = try #require(BrowserTrait.running)
    let page =
        if let idle = running.pages.take() {
            idle
        } else {
            try await BrowserPage(running.devTools, origin: running.origin)
        }
    let value: Value
    do {
        if let phoneWidth { try await page.resize(width: phoneWidth, height: 740, isMobile: true) }
        value = try await body(page)
    } catch {
        try await page.close()
        throw error
    }
    #expect(page.complaints == [], sourceLocation: sourceLocation)
    #expect(
        page.requests.filter { !$0.hasPrefix(running.origin + "/") && !$0.hasPrefix("blob:") } == [],
        sourceLocation: sourceLocation)
    do {
        try await page.reset()
    } catch {
        try await page.close()
        throw error
    }
    running.pages.put(page)
    return value
}

/// Opens the explorer in an empty page, and checks afterwards that the page has no errors.
/// - Parameters:
///   - path: The path, whose fragment is the initial state of the page.
///   - introspection: The mocked response to the first request of the page, which reads the schema.
///   - phoneWidth: The width of the phone to emulate, if any.
func withExplorer<Value>(
    _ path: String = "/graphql", introspection: String? = nil, phoneWidth: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (BrowserPage) async throws -> Value
) async throws -> Value {
    try await withBrowserPage(phoneWidth: phoneWidth, sourceLocation: sourceLocation) { page in
        if let introspection {
            try await page.holdRequests()
            let held = try await page.waitForEvent("Fetch.requestPaused") { try await page.open(path) }
            try await page.answer(held, status: 200, mediaType: "application/json", body: introspection)
            try await page.send("Fetch.disable")
        } else {
            try await page.open(path)
        }
        try await page.requireHTML()
        try await page.wait(until: "document.body.dataset.schema")
        return try await body(page)
    }
}

/// Opens the comparison in an empty page without running a task, and checks afterwards that the page has no errors.
/// - Parameters:
///   - state: The state in the fragment of the URL. The default shows the first task. With a state, the page does not
///     run a task automatically.
///   - phoneWidth: The width of the phone to emulate, if any.
func withComparison<Value>(
    _ state: KeyValuePairs<String, String> = ["view": "task"], phoneWidth: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (BrowserPage) async throws -> Value
) async throws -> Value {
    try await withBrowserPage(phoneWidth: phoneWidth, sourceLocation: sourceLocation) { page in
        try await page.open("/#\(fragment(state))")
        try await page.requireHTML()
        try await page.wait(until: "document.body.dataset.state === 'ready'")
        return try await body(page)
    }
}

/// Opens the comparison in an empty page without a state, waits until the run of the first task has ended, and checks
/// afterwards that the page has no errors.
/// - Parameter phoneWidth: The width of the phone to emulate, if any.
func withOpenedComparison<Value>(
    phoneWidth: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (BrowserPage) async throws -> Value
) async throws -> Value {
    try await withBrowserPage(phoneWidth: phoneWidth, sourceLocation: sourceLocation) { page in
        try await page.open("/")
        try await page.requireHTML()
        try await page.wait(until: "document.body.dataset.state === 'ready'")
        try await page.waitForBoth()
        return try await body(page)
    }
}

/// Returns the path of the explorer with a state in the fragment.
func explorer(query: String, variables: String = "") -> String {
    "/graphql#\(fragment(["query": query, "variables": variables]))"
}

/// Returns a state as the fragment of a URL.
private func fragment(_ state: KeyValuePairs<String, String>) -> String {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._~")
    return state.map { name, value in
        "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
    }.joined(separator: "&")
}

extension DevTools {
    /// Starts a browser for as long as the closure takes.
    static func withBrowser<Value>(_ body: (DevTools) async throws -> Value) async throws -> Value {
        let process = try BrowserProcess()
        let devTools = DevTools(process)
        defer { process.end() }
        return try await body(devTools)
    }
}

extension DevTools {
    /// Runs a browser while the closure runs.
    static func withBrowser<Value>(_ body: (DevTools) async throws -> Value) async throws -> Value {
        let process = try BrowserProcess()
        let devTools = DevTools(process)
        defer { process.end() }
        return try await body(devTools)
    }
}

/// A server that was started for a measurement and has no other clients.
package protocol FreshServer: Sendable {
    /// The base address: `http://127.0.0.1:PORT`.
    var base: String { get }

    /// - Returns: The memory of the server's process; nil if the operating system does not report it.
    func memory() -> ServerMemory?

    /// Sets the peak memory to the current resident memory.
    /// - Returns: True if the operating system supports the operation.
    func resetPeak() -> Bool
}

/// The memory of a server's process, in KiB.
package struct ServerMemory: Sendable {
    /// The resident memory.
    package let resident: Int
    /// The maximum resident memory since the last call of ``FreshServer/resetPeak()``, or since the process started.
    package let peak: Int

    package init(resident: Int, peak: Int) {
        self.resident = resident
        self.peak = peak
    }
}

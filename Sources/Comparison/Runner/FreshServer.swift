/// A server that has just been started and has no other clients.
package protocol FreshServer: Sendable {
    /// `http://127.0.0.1:PORT`.
    var base: String { get }

    /// - Returns: The memory of the server's process; nil if the system does not report it.
    func memory() -> ServerMemory?

    /// Sets the peak to the memory that is resident now.
    /// - Returns: True if the system supports this.
    func resetPeak() -> Bool
}

/// The memory of a server's process, in KiB.
package struct ServerMemory: Sendable {
    /// The resident memory.
    package let resident: Int
    /// The maximum resident memory since the process started, or since the last ``FreshServer/resetPeak()``.
    package let peak: Int

    package init(resident: Int, peak: Int) {
        self.resident = resident
        self.peak = peak
    }
}

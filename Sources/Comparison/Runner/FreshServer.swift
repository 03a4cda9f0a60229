/// A server that has just been started and has no other clients.
package protocol FreshServer: Sendable {
    /// `http://127.0.0.1:PORT`.
    var base: String { get }

    /// - Returns: the memory of the server's process; `nil` where the system does not report it.
    func memory() -> ServerMemory?

    /// Makes the memory that is resident now the peak.
    /// - Returns: true if the system can do that.
    func resetPeak() -> Bool
}

/// The memory of a server's process, in KiB.
package struct ServerMemory: Sendable {
    /// The memory that is resident.
    package let resident: Int
    /// The largest memory that has been resident since the process began, or since the last ``FreshServer/resetPeak()``.
    package let peak: Int

    package init(resident: Int, peak: Int) {
        self.resident = resident
        self.peak = peak
    }
}

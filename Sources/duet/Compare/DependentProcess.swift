import Foundation

/// A program that ends when this process does, whatever ends that: who is killed can end nobody.
///
/// A shell beside it waits for the end of a pipe that this process alone can write to, and that ends with the process.
struct DependentProcess: Sendable {
    private let process = Process()
    private let guardian = Process()
    private let lifeline = Pipe()

    /// Starts a program.
    /// - Parameters:
    ///   - environment: all of it; `nil` for that of this process.
    ///   - output: a `Pipe` or a `FileHandle`.
    /// - Throws: if the program cannot be run, or there is no shell.
    init(
        _ executable: URL, _ arguments: [String], environment: [String: String]? = nil,
        output: Any = FileHandle.nullDevice, errors: FileHandle = .nullDevice
    ) throws {
        // No other program is to hold an end of it.
        for end in [lifeline.fileHandleForReading, lifeline.fileHandleForWriting] {
            guard fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EBADF)
            }
        }
        process.executableURL = executable
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        guardian.executableURL = URL(filePath: "/bin/sh")
        // A line says that the program has ended, and that its number may be another's. Signals that are meant for all are for the others.
        guardian.arguments = ["-c", "trap '' HUP INT TERM; read -r _ || kill \(process.processIdentifier)"]
        guardian.standardInput = lifeline.fileHandleForReading
        guardian.standardOutput = FileHandle.nullDevice
        guardian.standardError = FileHandle.nullDevice
        do {
            try guardian.run()
        } catch {
            process.terminate()
            process.waitUntilExit()
            throw error
        }
    }

    /// The program's number.
    var identifier: Int32 { process.processIdentifier }

    var isRunning: Bool { process.isRunning }

    /// Waits until the program has ended by itself. If the task is cancelled, the program is told to.
    /// - Returns: its status.
    func status() async -> Int32 {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: wait()) }
            }
        } onCancel: {
            terminate()
        }
    }

    /// Tells the program to end, by SIGTERM.
    func terminate() { process.terminate() }

    /// Ends the program by SIGTERM, if it has not ended yet, and waits until it has.
    func end() {
        terminate()
        _ = wait()
    }

    private func wait() -> Int32 {
        process.waitUntilExit()
        lifeline.fileHandleForWriting.write(Data("\n".utf8))
        guardian.waitUntilExit()
        return process.terminationStatus
    }
}

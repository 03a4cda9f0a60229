import Foundation

/// A program that ends when this process does, whatever ends that: who is killed can end nobody.
///
/// A shell beside it, the guardian, waits for the end of a pipe that this process alone can write to, and that ends with the process. The
/// program is not run before the guardian is there: until then a shell in its place waits for a line, and ends if none comes.
struct DependentProcess: Sendable {
    private let process = Process()
    private let guardian = Process()
    private let lifeline = Pipe()

    /// Its arguments are the program and the program's.
    private static let gate = #"read -r _ || exit; exec "$0" "$@" < /dev/null"#

    /// Starts a program.
    /// - Parameters:
    ///   - environment: all of it; `nil` for that of this process.
    ///   - output: a `Pipe` or a `FileHandle`.
    /// - Throws: if the program cannot be run, or there is no shell.
    init(
        _ executable: URL, _ arguments: [String], environment: [String: String]? = nil,
        output: Any = FileHandle.nullDevice, errors: FileHandle = .nullDevice
    ) throws {
        guard FileManager.default.isExecutableFile(atPath: executable.path) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: executable.path])
        }
        let start = Pipe()
        // No other program is to hold an end of them.
        for end in [lifeline, start].flatMap({ [$0.fileHandleForReading, $0.fileHandleForWriting] }) {
            guard fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EBADF)
            }
        }
        process.executableURL = Self.shell
        process.arguments = ["-c", Self.gate, executable.path] + arguments
        if let environment { process.environment = environment }
        process.standardInput = start.fileHandleForReading
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        guardian.executableURL = Self.shell
        // A line says that the program has ended, and that its number may be another's. Signals that are meant for all are for the others.
        // One signal is not enough: nginx forgets one that comes while it starts.
        let number = process.processIdentifier
        guardian.arguments = [
            "-c", "trap '' HUP INT TERM; read -r _ || while kill \(number) 2> /dev/null; do sleep 1; done",
        ]
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
        try start.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    }

    private static let shell = URL(filePath: "/bin/sh")

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

import Foundation

/// A process that a comparison needs did not start, or ended too early.
package struct ProcessFailure: Error, CustomStringConvertible {
    /// The reason, with the output of the process.
    package let description: String
}

/// A child process that runs a program. The child ends when this process ends, even if this process is killed and
/// cannot terminate the child.
///
/// A separate shell, the guardian, reads from a pipe that only this process can write to. When this process ends, the
/// pipe closes, and the guardian terminates the child. The program must not start before the guardian. Therefore the
/// child is first a second shell, which waits for a line from another pipe and then replaces itself with the program.
/// The second shell exits if the other pipe closes before the line arrives.
struct DependentProcess: Sendable {
    private let process = Process()
    private let guardian = Process()
    private let lifeline = Pipe()

    /// The script that waits for the line. Its arguments are the program and the program's arguments.
    private static let gate = #"read -r _ || exit; exec "$0" "$@" < /dev/null"#

    /// Starts a program.
    /// - Parameters:
    ///   - environment: The complete environment; nil to inherit the environment of this process.
    ///   - output: A `Pipe` or a `FileHandle`.
    /// - Throws: An error if the program cannot be executed, or if there is no shell.
    init(
        _ executable: URL, _ arguments: [String], environment: [String: String]? = nil,
        output: Any = FileHandle.nullDevice, errors: FileHandle = .nullDevice
    ) throws {
        guard FileManager.default.isExecutableFile(atPath: executable.path) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: executable.path])
        }
        let start = Pipe()
        // Other child processes must not inherit an end of the pipes.
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
        // If the guardian reads a line, the program has ended and its process ID may be reused, so the guardian sends
        // no signal. The guardian ignores signals sent to the process group. It sends SIGTERM repeatedly, because nginx
        // ignores a signal that arrives during startup.
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

    /// The process ID of the program.
    var identifier: Int32 { process.processIdentifier }

    var isRunning: Bool { process.isRunning }

    /// Waits until the program ends. If the task is canceled, the program is terminated.
    /// - Returns: The exit status of the program.
    func status() async -> Int32 {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: wait()) }
            }
        } onCancel: {
            terminate()
        }
    }

    /// Sends SIGTERM to the program.
    func terminate() { process.terminate() }

    /// Sends SIGTERM to the program if it is still running, and waits until it ends.
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

import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A child process, with its standard output and standard error. Separate threads read the outputs and wait for the
/// process, so no output and no exit is missed. Foundation's `Process` uses one shared thread, and has missed an exit.
final class ChildProcess: Sendable {
    private struct State {
        var status: Int32?
        var waiters: [CheckedContinuation<Int32, Never>] = []
    }

    let identifier: pid_t
    private let state = Mutex(State())

    /// Starts a program with an empty input.
    /// - Parameters:
    ///   - environment: The complete environment.
    ///   - descriptors: The descriptors that the program inherits. Their numbers in the program begin with 3.
    init(
        _ path: String, _ arguments: [String], in folder: String, environment: [String: String],
        inheriting descriptors: [Int32] = [], output: Transcript, errors: Transcript
    ) throws {
        let (outputEnd, outputWriter) = try Self.pipe()
        let (errorsEnd, errorsWriter) = try Self.pipe()
        defer {
            close(outputWriter)
            close(errorsWriter)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, outputWriter, 1)
        posix_spawn_file_actions_adddup2(&actions, errorsWriter, 2)
        // The copies have high numbers, which the numbers in the program cannot overwrite.
        let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 512) }
        defer { for copy in copies { close(copy) } }
        for (index, copy) in copies.enumerated() { posix_spawn_file_actions_adddup2(&actions, copy, 3 + Int32(index)) }
        InheritedDescriptors.close(from: 3 + Int32(descriptors.count), &actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The process does not inherit the signals that the test runner ignores or blocks.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // Swift does not import Glibc's action that changes the folder, so `env` changes it. `env` replaces itself with
        // the program, so the process identifier does not change.
        let changer = "/usr/bin/env"
        let argumentPointers = ([changer, "--chdir=\(folder)", path] + arguments).map { strdup($0) } + [nil]
        let environmentPointers = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var identifier: pid_t = 0
        let failure = posix_spawn(&identifier, changer, &actions, &attributes, argumentPointers, environmentPointers)
        guard failure == 0 else {
            close(outputEnd)
            close(errorsEnd)
            throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOENT)
        }
        self.identifier = identifier
        Self.read(outputEnd, into: output)
        Self.read(errorsEnd, into: errors)
        Thread.detachNewThread { [self] in reap() }
    }

    /// Returns the read end and the write end of a pipe.
    private static func pipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
        // Programs that other tests start with Foundation's `Process` do not inherit the ends of the pipe.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func read(_ descriptor: Int32, into transcript: Transcript) {
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = Foundation.read(descriptor, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                transcript.append(Data(bytes.prefix(max(0, count))))
                if count <= 0 { break }
            }
            close(descriptor)
        }
    }

    /// Reaps the process with the lock that `send(_:)` also acquires. The system can reuse the identifier only after
    /// that. Therefore a signal never reaches another process.
    private func reap() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let (status, waiters) = state.withLock { state -> (Int32, [CheckedContinuation<Int32, Never>]) in
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            let code = signal == 0 ? status >> 8 & 0xFF : 128 + signal
            state.status = code
            defer { state.waiters = [] }
            return (code, state.waiters)
        }
        for waiter in waiters { waiter.resume(returning: status) }
    }

    /// Sends a signal unless the process has ended.
    func send(_ signal: Int32) {
        state.withLock { if $0.status == nil { kill(identifier, signal) } }
    }

    /// Waits for the end of the process.
    /// - Returns: The status that a shell reports: 128 or more for a signal.
    func status() async -> Int32 {
        await withCheckedContinuation { continuation in
            let status = state.withLock { state -> Int32? in
                if state.status == nil { state.waiters.append(continuation) }
                return state.status
            }
            if let status { continuation.resume(returning: status) }
        }
    }
}

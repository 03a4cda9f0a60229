import Foundation
import ProcessTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A Chromium without windows, with its own profile, and the two pipes of its DevTools protocol: Chromium reads from
/// descriptor 3 and writes to descriptor 4. Chromium ends when the pipes are closed, so it never outlives the tests.
///
/// The headless shell is Chromium's engine without the surrounding browser. A page in the shell takes a quarter of the
/// processor time of a page in a complete browser, which also renders its own windows as pages.
final class BrowserProcess: Sendable {
    struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }

    /// The descriptor for writing to the browser.
    let input: Int32
    /// The descriptor for reading from the browser.
    let output: Int32
    private let identifier: pid_t
    private let profile: URL

    /// The headless shell itself, not the script in /usr/bin that starts it, because signals have to reach the browser.
    private static let headlessShell = "/usr/lib/chromium/chromium-headless-shell"
    private static let candidates = [
        headlessShell, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome",
    ]

    init() throws {
        guard let program = Self.candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw NotStarted(
                description: "There is no chromium-headless-shell here; make test-dependencies installs it.")
        }
        profile = FileManager.default.temporaryDirectory.appending(path: "duet-browser-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
        let (browserInput, input) = try Self.pipe()
        let (output, browserOutput) = try Self.pipe()
        defer {
            close(browserInput)
            close(browserOutput)
        }
        self.input = input
        self.output = output
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(
                &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, browserInput, 3)
        posix_spawn_file_actions_adddup2(&actions, browserOutput, 4)
        InheritedDescriptors.close(from: 5, &actions)
        // The optimizing compilers of JavaScript take more time than they save in pages that live for a second.
        let arguments =
            [
                program, "--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--lang=en-US", "--js-flags=--no-turbofan --no-maglev", "--remote-debugging-pipe",
                "--user-data-dir=\(profile.path)",
            ] + (program == Self.headlessShell ? [] : ["--headless=new"])
        let pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let variables = ["PATH=/usr/bin:/bin", "HOME=\(profile.path)", "LANG=C.UTF-8"]
        let environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for pointer in pointers + environment { free(pointer) } }
        var identifier: pid_t = 0
        let failure = posix_spawn(&identifier, program, &actions, nil, pointers, environment)
        guard failure == 0 else {
            close(input)
            close(output)
            throw NotStarted(description: "\(program) does not start: \(String(cString: strerror(failure)))")
        }
        self.identifier = identifier
    }

    /// Returns the read end and the write end of a pipe. Their descriptor numbers are at least 10, so that duplicating
    /// one end to descriptor 3 or 4 cannot close the other end. No other program inherits the ends.
    private static func pipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
        let moved = ends.map { end in
            defer { close(end) }
            return fcntl(end, F_DUPFD_CLOEXEC, 10)
        }
        return (moved[0], moved[1])
    }

    /// Ends the browser, waits for its end, and removes its profile.
    func end() {
        close(input)
        kill(identifier, SIGTERM)
        // A browser that ignores the signal is killed. Its identifier cannot be reused until it is reaped.
        var status: Int32 = 0
        let killer = DispatchWorkItem { [identifier] in kill(identifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 10, execute: killer)
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        killer.cancel()
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        // The child processes may still write into the profile for a moment.
        for _ in 0..<100 where FileManager.default.fileExists(atPath: profile.path) {
            try? FileManager.default.removeItem(at: profile)
        }
    }
}

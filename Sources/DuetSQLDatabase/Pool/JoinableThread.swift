import Foundation

/// A thread that can be joined: `join()` returns after the C libraries have released the memory that they hold for the
/// thread.
///
/// Foundation's `Thread` cannot be joined. A process could therefore exit while an ending thread still releases
/// OpenSSL's memory. This races with OpenSSL's cleanup at exit, and memory can be freed twice.
struct JoinableThread: @unchecked Sendable {
    private let handle: pthread_t

    /// Starts a thread.
    /// - Throws: ``DatabaseError`` if the system cannot create a thread.
    init(name: String, stackSize: Int, _ body: @escaping @Sendable () -> Void) throws {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        pthread_attr_init(attributes)
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setstacksize(attributes, stackSize)
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        #if canImport(Darwin)
            var handle: pthread_t?
        #else
            var handle = pthread_t()
        #endif
        let status = pthread_create(&handle, attributes, JoinableThread.main, start.toOpaque())
        guard status == 0 else {
            start.release()
            throw DatabaseError(.unavailable, "no thread can be started: \(String(cString: strerror(status)))")
        }
        #if canImport(Darwin)
            guard let handle else { throw DatabaseError(.unavailable, "no thread can be started") }
        #endif
        self.handle = handle
    }

    /// Waits until the thread has ended. Call this function at most once, and not after ``detach()``.
    func join() {
        pthread_join(handle, nil)
    }

    /// Detaches the thread: no caller may join it afterward.
    func detach() {
        pthread_detach(handle)
    }

    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    #if canImport(Darwin)
        private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { argument in
            run(argument)
        }
    #else
        private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            argument.flatMap { run($0) }
        }
    #endif

    private static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        Thread.current.name = start.name
        start.body()
        return nil
    }
}

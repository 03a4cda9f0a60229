import Dispatch
public import Foundation
import HTTPTypes
import Synchronization

/// The stored responses of a ``CachingTransport``, in memory and in a folder.
///
/// Responses are written in the background. The cache never serves an incomplete response, because it removes a
/// truncated or damaged file. If the folder is not writable, the cache uses only memory. ``ResponseCacheNotice``
/// reports these events.
///
/// Create only one cache for each folder in a process. Several processes can share a folder. If one process removes a
/// response, the response may remain in the memory of another process for some time.
public final class ResponseCache: Sendable {
    /// The limits of a cache, in bytes.
    public struct Limits: Sendable, Hashable {
        /// The maximum size of all responses in memory.
        public var memory = 8 * 1024 * 1024
        /// The maximum size of all files.
        public var disk = 64 * 1024 * 1024
        /// The maximum size of a response. Larger responses are not stored.
        public var response = 4 * 1024 * 1024
        /// The maximum size of the responses that wait to be written. If this size would be exceeded, a new response is
        /// stored only in memory.
        public var queue = 16 * 1024 * 1024

        /// Creates the default limits.
        public init() {}
    }

    /// A moment in the lifetime of a cache. The cache uses the value to determine whether a resource was invalidated
    /// after the moment.
    package struct Moment: Sendable {
        fileprivate let number: UInt64
    }

    /// The limits of the cache.
    public let limits: Limits
    /// The wall clock. A monotonic clock cannot measure the age of a response that an earlier process received.
    package let now: @Sendable () -> Date
    private let folder: CacheFolder?
    private let notify: @Sendable (ResponseCacheNotice) -> Void
    private let memory: Mutex<ResponseMemory>
    /// The queue for all accesses to the folder. The accesses run in the order of the calls.
    private let queue = DispatchQueue(label: "DuetClient.ResponseCache")

    /// Creates a cache in a folder.
    /// - Parameters:
    ///   - folder: The folder for persistent storage. It is created if it does not exist. If it is `nil`, the cache
    ///     uses only memory.
    ///   - limits: The limits.
    ///   - now: Returns the current time.
    ///   - notify: Receives the notices. It is called on any thread.
    public init(
        folder: URL?, limits: Limits = Limits(), now: @escaping @Sendable () -> Date = { Date() },
        notify: @escaping @Sendable (ResponseCacheNotice) -> Void = { _ in }
    ) {
        self.limits = limits
        self.now = now
        self.notify = notify
        self.folder = folder.map {
            // A file also contains the head as JSON, which is longer than the head in memory.
            CacheFolder($0, maximumSize: limits.disk, maximumFileSize: limits.response * 2, now: now, notify: notify)
        }
        memory = Mutex(ResponseMemory(maximumSize: limits.memory, maximumWaitingSize: limits.queue))
    }

    // MARK: - For apps

    /// Removes all responses from memory and from the folder, for example when a user logs out. Responses to requests
    /// that are still running will not be stored.
    public func clear() async {
        memory.withLock { $0.invalidateAll() }
        await perform { $0.removeAll() }
    }

    /// Removes all responses from memory, for example when memory is low. The responses in the folder remain.
    public func clearMemory() {
        memory.withLock { $0.removeUsed() }
    }

    /// Removes the responses of a resource for all query components, methods and users.
    public func removeResponses(of address: URL) async {
        guard let address = ServiceAddress(address) else { return }
        invalidate(
            ResponseKey.resource(
                HTTPRequest(
                    method: .get, scheme: address.scheme, authority: address.authority, path: address.path)))
        await flush()
    }

    /// Removes all responses to requests whose caller has this identity (``CurrentCaller``), for example when a user
    /// logs out. Responses to requests that are still running will not be stored.
    /// - Parameter identity: The identity; `nil` for the responses of anonymous callers.
    public func removeResponses(ofCaller identity: String?) async {
        let scopes = ResponseKey.scopes(ofCaller: identity)
        memory.withLock { $0.remove(scopes: scopes) }
        await perform { $0.remove(scopes: scopes) }
    }

    /// Waits until all pending responses are written.
    public func flush() async {
        await perform { _ in }
    }

    // MARK: - For the transport

    /// The current moment. A transport reads it before it sends a request.
    package var moment: Moment { memory.withLock { Moment(number: $0.moment) } }

    /// Returns the latest stored response that has the key and for which the closure returns true.
    package func response(
        for key: ResponseKey, where matches: @escaping @Sendable (StoredResponse) -> Bool
    ) async -> StoredResponse? {
        let (found, moment) = memory.withLock { ($0.use(key, at: now(), where: matches), $0.moment) }
        if let found {
            if found.needsTouch { enqueue { $0.touch(found.response.name) } }
            return found.response
        }
        let stored = await perform { folder -> StoredResponse? in
            let stored = folder.read(prefix: key.prefix).filter(matches).max { $0.responseTime < $1.responseTime }
            if let stored { folder.touch(stored.name) }
            return stored
        }
        guard let stored = stored ?? nil, memory.withLock({ $0.load(stored, at: now(), since: moment) })
        else { return nil }
        return stored
    }

    /// Stores a response, unless its resource was invalidated after the moment at which its request was sent.
    package func store(_ response: StoredResponse, since moment: Moment) {
        guard response.cost <= limits.response else { return }
        switch memory.withLock({ $0.store(response, at: now(), since: moment.number) }) {
        case .outdated: break
        case .queueIsFull: notify(.skippedWrite)
        case .write(let write):
            let name = response.name
            guard folder != nil else { return memory.withLock { $0.finish(write, named: name) } }
            enqueue { [self] folder in
                let response = memory.withLock { $0.response(named: name, of: write) }
                if let response { folder.write(response) }
                memory.withLock { $0.finish(write, named: name) }
            }
        }
    }

    /// Removes a response.
    package func remove(_ response: StoredResponse) {
        memory.withLock { $0.remove(response) }
        enqueue { $0.remove(response.name) }
    }

    /// Removes the responses of a resource (RFC 9111 §4.4). Responses to requests that are still running will not be
    /// stored.
    package func invalidate(_ resource: String) {
        memory.withLock { $0.invalidate(resource) }
        enqueue { $0.remove(prefix: "\(resource)-") }
    }

    // MARK: - Folder

    private func enqueue(_ body: @escaping @Sendable (CacheFolder) -> Void) {
        guard let folder else { return }
        queue.async { body(folder) }
    }

    /// - Returns: The value of the closure, or `nil` if there is no folder.
    @discardableResult
    private func perform<Value: Sendable>(_ body: @escaping @Sendable (CacheFolder) -> Value) async -> Value? {
        guard folder != nil else { return nil }
        return await withCheckedContinuation { continuation in
            enqueue { continuation.resume(returning: body($0)) }
        }
    }
}

/// An event of a ``ResponseCache`` that an app may want to log. After each event, the cache continues to work.
public enum ResponseCacheNotice: Sendable, Hashable, CustomStringConvertible {
    /// A file did not contain a valid stored response. The cache has removed the file.
    case removedUnreadableFile(URL, reason: String)
    /// The disk or its quota is full. The cache stores new responses only in memory until space is available.
    case diskFull(URL)
    /// The folder is not writable. The cache stores new responses only in memory until the folder is writable.
    case cannotWrite(URL, reason: String)
    /// The folder is writable again, or space is available again.
    case writesAgain(URL)
    /// The cache stores a response only in memory, because responses arrive faster than they can be written.
    case skippedWrite

    /// A description of the event and its remedy.
    public var description: String {
        switch self {
        case .removedUnreadableFile(let file, let reason):
            "The file \(file.path) was removed from the response cache: \(reason)."
        case .diskFull(let folder):
            "The disk of the response cache \(folder.path) is full. Responses are stored in memory until disk space is available."
        case .cannotWrite(let folder, let reason):
            "The response cache \(folder.path) cannot be written: \(reason). Responses are stored in memory. Check the folder and its permissions."
        case .writesAgain(let folder):
            "The response cache \(folder.path) can be written again."
        case .skippedWrite:
            "A response was not written to the response cache, because too many responses wait to be written. Raise ResponseCache.Limits.queue."
        }
    }
}

import NIOCore
import Synchronization

/// The connections of a server that are open, or whose work has not ended.
final class OpenConnections: Sendable {
    private struct Entry {
        let channel: any Channel
        /// The number of events for which the server waits: the end of the connection, and the end of its work.
        var holds = 0
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var phase = Phase.open
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private enum Phase {
        case open
        /// The connections end after their current requests.
        case quiescing
        /// The connections are closed.
        case closing
    }

    private let state = Mutex(State())

    /// Adds an event for which the server waits.
    func hold(_ channel: any Channel) {
        let phase = self.state.withLock { state in
            state.entries[ObjectIdentifier(channel), default: Entry(channel: channel)].holds += 1
            return state.phase
        }
        if phase != .open { self.end([channel], phase) }
    }

    /// Removes an event that has happened.
    func release(_ channel: any Channel) {
        let waiting = self.state.withLock { state -> [CheckedContinuation<Void, Never>] in
            let identifier = ObjectIdentifier(channel)
            state.entries[identifier]?.holds -= 1
            guard state.entries[identifier]?.holds == 0 else { return [] }
            state.entries[identifier] = nil
            guard state.entries.isEmpty else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Makes all connections end after their current requests, including those that are added from now on.
    func quiesce() { self.end(enter(.quiescing), .quiescing) }

    /// Closes all connections, including those that are added from now on.
    func close() { self.end(enter(.closing), .closing) }

    /// Waits until there is no connection.
    func waitUntilEmpty() async {
        await withCheckedContinuation { continuation in
            let isEmpty = self.state.withLock { state in
                if !state.entries.isEmpty { state.waiting.append(continuation) }
                return state.entries.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }

    private func enter(_ phase: Phase) -> [any Channel] {
        self.state.withLock { state in
            if state.phase != .closing { state.phase = phase }
            return state.entries.values.map(\.channel)
        }
    }

    private func end(_ channels: [any Channel], _ phase: Phase) {
        for channel in channels {
            switch phase {
            case .open: break
            case .quiescing: channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            case .closing: channel.close(promise: nil)
            }
        }
    }
}

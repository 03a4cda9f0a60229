import Synchronization

/// The current caller of a service: the user who is logged in to an app, or an anonymous caller.
///
/// ```swift
/// let caller = CurrentCaller(identity: account.id, token: account.token) { identity, refused in
///     try await accounts.renewToken(of: identity, refused)
/// }
/// caller.change(to: nil)
/// ```
///
/// Give the same object to all parts of the client: ``GraphQLStore``, ``WebServiceProxy``, ``ResourceLoader`` and
/// ``AuthorizingTransport``. After ``change(to:token:)``, none of them returns data of the former caller. An operation
/// that began before the change ends with an error, and a watch ends.
///
/// An operation checks the caller when it ends, on the actor of the task that called it. So if an app changes the
/// caller on the actor that receives the results, such as the main actor, no result of the former caller arrives after
/// the change. On a different actor, a result that has arrived at the time of the change may still be processed.
public final class CurrentCaller: Sendable {
    /// Returns a token of the caller.
    /// - Parameters:
    ///   - identity: The identity of the caller.
    ///   - refused: The token that the server has refused with the status 401; `nil` if there was no token.
    /// - Returns: The token; `nil` if the caller has none, for example because the user must log in again.
    /// - Throws: Any error if there may be a token later, for example without a network.
    public typealias TokenSource = @Sendable (_ identity: String, _ refused: String?) async throws -> String?

    private struct State {
        var caller: Caller
        var token: String?
        /// The last token that the server has refused.
        var refused: String?
        /// The number of tokens that the app has set.
        var settings = 0
        var observers: [Int: @Sendable () -> Void] = [:]
        var lastObserver = 0
    }

    private let state: Mutex<State>
    private let tokenSource: TokenSource?
    private let renewals: SharedWork<Caller, Credential, TransportError>

    /// Creates a caller.
    /// - Parameters:
    ///   - identity: A text that the app chooses for what the caller may see, such as the identifier of the user. If
    ///     the app can choose a role of the user, the text contains the role, too. It is `nil` for an anonymous caller.
    ///   - token: A token of the caller, if the app has one. An anonymous caller has none.
    ///   - tokenSource: Called if there is no token, or if the server refuses the token. Concurrent requests share one
    ///     call. The closure must not send requests that need a token of this object.
    public convenience init(identity: String? = nil, token: String? = nil, tokenSource: TokenSource? = nil) {
        self.init(identity: identity, token: token, tokenSource: tokenSource) { _ in }
    }

    /// - Parameter joined: Called when a request begins to wait for a token. The argument is the number of waiting
    ///   requests.
    init(identity: String?, token: String?, tokenSource: TokenSource?, joined: @escaping @Sendable (Int) -> Void) {
        state = Mutex(State(caller: Caller(identity: identity), token: identity == nil ? nil : token))
        self.tokenSource = tokenSource
        // A renewal continues even if no request waits for it. A server may accept a refresh token only once, so the
        // token of an interrupted renewal would be lost.
        renewals = SharedWork(
            cancelled: { TransportError(.cancelled) }, cancelsAbandonedWork: false, joined: joined)
    }

    /// The current caller.
    public var current: Caller { state.withLock { $0.caller } }

    /// The identity of the current caller; `nil` for an anonymous caller.
    public var identity: String? { current.identity }

    /// Changes the caller. If the identity is that of the current caller, only the token changes.
    /// - Parameters:
    ///   - identity: The identity of the new caller; `nil` for an anonymous caller.
    ///   - token: A token of the new caller. If it is `nil`, the token source is called for the next request.
    public func change(to identity: String?, token: String? = nil) {
        let observers = state.withLock { state -> [@Sendable () -> Void] in
            state.token = identity == nil ? nil : token
            state.refused = nil
            state.settings += 1
            guard identity != state.caller.identity else { return [] }
            state.caller = Caller(identity: identity)
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }
}

// MARK: Observers

extension CurrentCaller {
    /// A closure that is called after each change of the caller, as long as this object exists.
    final class Observer: Sendable {
        private let caller: CurrentCaller
        private let number: Int

        fileprivate init(_ caller: CurrentCaller, number: Int) {
            self.caller = caller
            self.number = number
        }

        deinit { caller.removeObserver(number) }
    }

    /// Calls a closure after each change of the caller, on the thread of the change.
    func observe(_ body: @escaping @Sendable () -> Void) -> Observer {
        let number = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = body
            return state.lastObserver
        }
        return Observer(self, number: number)
    }

    private func removeObserver(_ number: Int) {
        // The closure is released after the lock, because its release can release other observers.
        _ = state.withLock { $0.observers.removeValue(forKey: number) }
    }

    /// The number of observers.
    var observerCount: Int { state.withLock { $0.observers.count } }
}

// MARK: Tokens

extension CurrentCaller {
    /// The token for a request.
    struct Credential: Sendable, Hashable {
        /// The token; `nil` for a request without a token.
        let token: String?
        /// True if the server has refused the token, and the token source has no other token. The request is sent with
        /// this token, not as a request of an anonymous caller.
        let wasRefused: Bool
    }

    private enum Known {
        case token(String?)
        case none(refused: String?, settings: Int)
    }

    /// Returns the token of a caller. If there is none, waits for the token source.
    /// - Parameters:
    ///   - caller: The caller of a request.
    ///   - refused: The token that the server has refused in the response to this request.
    /// - Throws: ``TransportError`` if the caller is not the current one, or if the token source throws an error.
    func credential(of caller: Caller, refused: String? = nil) async throws(TransportError) -> Credential {
        if case .token(let token) = try known(of: caller, refused) {
            return Credential(token: token, wasRefused: false)
        }
        return try await renewals.value(for: caller) { [self] () throws(TransportError) in
            // An earlier call of the token source may have ended after the first check.
            switch try known(of: caller, refused) {
            case .token(let token): Credential(token: token, wasRefused: false)
            case .none(let refused, let settings): try await renewed(of: caller, refused, settings)
            }
        }
    }

    private func known(of caller: Caller, _ refused: String?) throws(TransportError) -> Known {
        try state.withLock { state throws(TransportError) in
            guard state.caller == caller else { throw TransportError(.callerChanged) }
            guard caller.identity != nil, tokenSource != nil else { return .token(state.token) }
            // A late response can refuse a token that was replaced in the meantime.
            if let refused, state.token == refused {
                state.token = nil
                state.refused = refused
            }
            return state.token.map { .token($0) } ?? .none(refused: state.refused, settings: state.settings)
        }
    }

    private func renewed(
        of caller: Caller, _ refused: String?, _ settings: Int
    ) async throws(TransportError) -> Credential {
        guard let tokenSource, let identity = caller.identity else { return Credential(token: nil, wasRefused: false) }
        let token: String?
        do {
            token = try await tokenSource(identity, refused)
        } catch {
            throw error as? TransportError ?? TransportError(.noToken, underlyingError: error)
        }
        return try state.withLock { state throws(TransportError) in
            guard state.caller == caller else { throw TransportError(.callerChanged) }
            // If the app has set a token in the meantime, that token is newer.
            if state.settings == settings, token != refused { state.token = token }
            if let known = state.token { return Credential(token: known, wasRefused: false) }
            return Credential(token: refused ?? token, wasRefused: refused != nil)
        }
    }
}

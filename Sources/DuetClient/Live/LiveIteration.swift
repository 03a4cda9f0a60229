/// One iteration over values that a task receives.
///
/// The task starts with the first value that is requested. Only the newest value is stored, so a slow reader skips to
/// the last state. The task ends with the iteration, when the caller changes, or when this object is released.
final class LiveIteration<Value: Sendable, Failure: Error>: Sendable {
    /// Receives values for a caller until they end.
    typealias Receive = @Sendable (Caller?, NewestValue<Value, Failure>) async throws(Failure) -> Void

    private let current: CurrentCaller?
    /// The caller for whom the iteration began.
    private let caller: Caller?
    /// Ends the iteration when the caller changes.
    private let observer: CurrentCaller.Observer?
    private let values: NewestValue<Value, Failure>
    private let task: LiveTask
    private let receive: Receive

    init(_ current: CurrentCaller?, _ receive: @escaping Receive) {
        self.current = current
        self.receive = receive
        let values = NewestValue<Value, Failure>()
        self.values = values
        let task = LiveTask()
        self.task = task
        // The observer is created first, so that it reports each change after the caller was read.
        observer = current?.observe {
            values.finish()
            task.end()
        }
        caller = current?.current
    }

    deinit { task.end() }

    private var isCurrent: Bool { caller == current?.current }

    /// Returns the next value; `nil` at the end, if the task is canceled, or if the caller has changed.
    /// - Parameter element: Converts the value. An error of this function ends the iteration, too.
    func next<Element>(_ element: (Value) throws(Failure) -> Element) async throws(Failure) -> Element? {
        task.start { [caller, values, receive] in
            do throws(Failure) {
                try await receive(caller, values)
                values.finish()
            } catch {
                values.finish(error)
            }
        }
        do throws(Failure) {
            if let value = try await values.next(), isCurrent { return try element(value) }
        } catch {
            task.end()
            guard isCurrent else { return nil }
            throw error
        }
        task.end()
        return nil
    }
}

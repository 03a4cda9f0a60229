/// Waits until the task is canceled.
package func untilCanceled() async {
    // The stream has no element, so only the cancellation ends the wait.
    for await _ in AsyncStream(Never.self, { _ in }) {}
}

/// A place where tasks wait until a test lets them pass, and where the test waits for them.
actor Gate {
    private var isOpen = false
    private var arrived = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Arrives and waits until the gate is open.
    func pass() async {
        arrived += 1
        let reached = observers.filter { $0.count <= arrived }
        observers.removeAll { $0.count <= arrived }
        for observer in reached { observer.continuation.resume() }
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets all tasks pass, also later ones.
    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Waits until that many tasks have arrived.
    func arrivals(_ count: Int) async {
        if arrived >= count { return }
        await withCheckedContinuation { observers.append((count, $0)) }
    }
}

/// An array with a single owner. Appending needs no check for uniqueness, and the last elements can move to another
/// buffer.
struct NodeBuffer<Element>: ~Copyable {
    private var elements: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 4)
        elements = .allocate(capacity: self.capacity)
    }

    init(_ elements: [Element]) {
        self.init(capacity: elements.count)
        for element in elements { append(element) }
    }

    init(repeating element: Element, count: Int) {
        self.init(capacity: count)
        elements.initialize(repeating: element, count: count)
        self.count = count
    }

    deinit {
        elements.deinitialize(count: count)
        elements.deallocate()
    }

    @inline(__always)
    mutating func append(_ element: consuming Element) {
        if count == capacity { reserve(count + 1) }
        (elements + count).initialize(to: element)
        count += 1
    }

    @inline(__always)
    mutating func removeLast() -> Element {
        precondition(count > 0)
        count -= 1
        return (elements + count).move()
    }

    /// Moves the last `moved` elements of `other` to the end of this buffer.
    @inline(__always)
    mutating func move(_ moved: Int, from other: inout NodeBuffer) {
        precondition(moved <= other.count)
        if count + moved > capacity { reserve(count + moved) }
        other.count -= moved
        (elements + count).moveInitialize(from: other.elements + other.count, count: moved)
        count += moved
    }

    @inline(__always)
    subscript(position: Int) -> Element {
        _read {
            precondition(position >= 0 && position < count)
            yield elements[position]
        }
        _modify {
            precondition(position >= 0 && position < count)
            yield &elements[position]
        }
    }

    @inline(never)
    private mutating func reserve(_ needed: Int) {
        capacity = max(needed, capacity * 2)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: elements, count: count)
        elements.deallocate()
        elements = larger
    }
}

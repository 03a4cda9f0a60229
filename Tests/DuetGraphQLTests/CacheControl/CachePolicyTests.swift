import DuetGraphQL
import Testing

@Suite("Cache policies")
struct CachePolicyTests {
    @Test(
        "The combination of two policies has the lower maximum age, and is private if one of them is private",
        arguments: [
            (CachePolicy(maxAge: 60), CachePolicy(maxAge: 300), CachePolicy(maxAge: 60)),
            (CachePolicy(maxAge: 300), CachePolicy(maxAge: 60), CachePolicy(maxAge: 60)),
            (CachePolicy(maxAge: 60), CachePolicy(scope: .private), CachePolicy(maxAge: 60, scope: .private)),
            (CachePolicy(maxAge: 9, scope: .private), CachePolicy(maxAge: 7), CachePolicy(maxAge: 7, scope: .private)),
            (CachePolicy(maxAge: 60), .unrestricted, CachePolicy(maxAge: 60)),
            (.unrestricted, CachePolicy(maxAge: 0), CachePolicy(maxAge: 0)),
        ])
    func restriction(policy: CachePolicy, other: CachePolicy, both: CachePolicy) {
        var restricted = policy
        restricted.restrict(other)
        #expect(restricted == both)
    }

    @Test("A maximum age is never negative")
    func negativeAge() {
        #expect(CachePolicy(maxAge: -1).maxAge == 0)
    }
}

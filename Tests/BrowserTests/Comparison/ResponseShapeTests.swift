import DuetJSON
import Testing

extension ComparisonAnswerTests {
    @Suite("The value of a GraphQL response")
    struct ResponseShape {
        @Test("Connections and payloads are found by the operation, whatever the names of tables and columns are")
        func shapes() async throws {
            let cases: [(query: String, data: String, value: String)] = [
                (
                    "{ orders { nodes { id } pageInfo { hasNextPage } } }",
                    "{ orders: { nodes: [{ id: 1 }], pageInfo: {} } }", "[{ id: 1 }]"
                ),
                (
                    "{ orders { edges { node { id } } totalCount } }",
                    "{ orders: { edges: [{ node: { id: 1 } }], totalCount: 1 } }", "[{ id: 1 }]"
                ),
                (
                    "{ a: orders { ...Page } } fragment Page on OrderConnection { rows: nodes { items { nodes { id } } } }",
                    "{ a: { rows: [{ items: { nodes: [{ id: 1 }] } }] } }", "[{ items: [{ id: 1 }] }]"
                ),
                (
                    "{ row { id nodes errors } }", "{ row: { id: 1, nodes: [2], errors: 'none' } }",
                    "{ id: 1, nodes: [2], errors: 'none' }"
                ),
                (
                    "{ row { data } }", "{ row: { data: { nodes: [{ id: 1 }], pageInfo: {} } } }",
                    "{ data: { nodes: [{ id: 1 }], pageInfo: {} } }"
                ),
                (
                    "{ row { id nodes { id } } }", "{ row: { id: 1, nodes: [{ id: 2 }] } }",
                    "{ id: 1, nodes: [{ id: 2 }] }"
                ),
                ("{ row { edges { node } } }", "{ row: { edges: [{ node: 2 }] } }", "{ edges: [{ node: 2 }] }"),
                (
                    "{ row { errors { id } note { id } } }", "{ row: { errors: [{ id: 1 }], note: null } }",
                    "{ errors: [{ id: 1 }], note: null }"
                ),
                (
                    "{ ordersGroups(groupBy: []) { nodes { key { n: note customer { country } at { value month } } count total { sum } } } }",
                    "{ ordersGroups: { nodes: [{ key: { n: null, customer: { country: 'FR' }, at: { value: '2024-03-01', month: '2024-03' } }, count: 1, total: { sum: '9.50' } }] } }",
                    "[{ n: null, 'customer.country': 'FR', at: '2024-03-01', 'at.month': '2024-03', count: 1, 'total.sum': '9.50' }]"
                ),
                (
                    "{ a: ordersAggregate { count } b: ordersAggregate { total { sum avg } } }",
                    "{ a: { count: 2 }, b: { total: { sum: '1', avg: null } } }",
                    "[{ count: 2 }, { 'total.sum': '1', 'total.avg': null }]"
                ),
                (
                    "{ customers { nodes { ordersAggregate { total { max } } rowAggregate { name } } } }",
                    "{ customers: { nodes: [{ ordersAggregate: { total: { max: 1 } }, rowAggregate: { name: 'x' } }] } }",
                    "[{ ordersAggregate: { 'total.max': 1 }, rowAggregate: { name: 'x' } }]"
                ),
                (
                    "mutation { rename { order { id } errors { message } } }",
                    "{ rename: { order: { id: 1 }, errors: [] } }", "{ id: 1 }"
                ),
                (
                    "mutation { rename { order { id } errors { message } } }",
                    "{ rename: { order: null, errors: [{ message: 'no' }] } }", "'GraphQL returned an error: no'"
                ),
            ]
            try await withComparison { page in
                let calls = cases.map { query, data, value in
                    let text = JSONValue.string(query).compactText
                    return "[valueOf(\(text), \(data)), \(value)]"
                }
                let values = try await page.evaluate(
                    """
                    Promise.all(['graphql-side', 'graphql-operations', 'next-page'].map((name) => import(`\(BrowserPage.files)/comparison/${name}.js`)))
                      .then(([{ graphQLValue }, { operationsToSend }, { nextCursor }]) => {
                        const valueOf = (query, data) => {
                          const [{ shape }] = operationsToSend(query, '');
                          const { value, reason } = graphQLValue([{ json: { data }, status: 200, shape }]);
                          return reason ?? value;
                        };
                        const [{ shape }] = operationsToSend('{ rows { nodes { id pageInfo } page: pageInfo { hasNextPage endCursor } } }', '');
                        const page = { hasNextPage: true, endCursor: 'wrong' };
                        const data = { rows: { nodes: [{ id: 1, pageInfo: page }], page: { hasNextPage: true, endCursor: 'right' } } };
                        return [\(calls.joined(separator: ", ")), [nextCursor({ json: { data } }, shape), 'right']];
                      })
                    """)
                for (pair, (query, _, _)) in zip(values.items, cases + [("the cursor", "", "")]) {
                    #expect(pair.items.count == 2 && pair.items.first == pair.items.last, "\(query): \(pair)")
                }
                #expect(values.items.count == cases.count + 1)
            }
        }
    }
}

/// A custom task. Its REST request returns all titles and departments, but its GraphQL query only the current ones.
let wholeHistories: KeyValuePairs = [
    "task": "own", "rest": "GET /employees/10004?fields=lastName&details=titles&details=departments",
    "query": """
    { employee(id: 10004) { lastName titles(current: true) { title } departments(current: true) { departmentName } } }
    """,
]

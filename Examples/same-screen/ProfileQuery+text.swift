import DuetClient

extension ProfileQuery {
    /// The document as a developer formats it: 140 lines, and at most one field in a line.
    static let text = """
        query Profile($id: ID!) {
          employee(id: $id) {
            id
            employeeNumber
            firstName
            lastName
            gender
            birthDate
            hireDate
            titles(first: 3, orderBy: [{field: FROM_DATE, direction: DESCENDING}]) {
              title
              fromDate
              toDate
            }
            salaries(first: 3, orderBy: [{field: FROM_DATE, direction: DESCENDING}]) {
              salary
              fromDate
              toDate
            }
            departments {
              fromDate
              toDate
              department {
                id
                departmentNumber
                departmentName
                managers(current: true) {
                  fromDate
                  toDate
                  employee {
                    id
                    employeeNumber
                    firstName
                    lastName
                    gender
                    birthDate
                    hireDate
                    titles(first: 3, orderBy: [{field: FROM_DATE, direction: DESCENDING}]) {
                      title
                      fromDate
                      toDate
                    }
                    salaries(first: 3, orderBy: [{field: FROM_DATE, direction: DESCENDING}]) {
                      salary
                      fromDate
                      toDate
                    }
                  }
                }
                employees(first: 3, orderBy: [{field: HIRE_DATE, direction: DESCENDING}]) {
                  totalCount
                  nodes {
                    id
                    employeeNumber
                    firstName
                    lastName
                    gender
                    birthDate
                    hireDate
                    titles(first: 3, orderBy: [{field: FROM_DATE, direction: DESCENDING}]) {
                      title
                      fromDate
                      toDate
                    }
                    salaries(first: 3, orderBy: [{field: FROM_DATE, direction: DESCENDING}]) {
                      salary
                      fromDate
                      toDate
                    }
                    departments(current: true) {
                      fromDate
                      toDate
                      department {
                        id
                        departmentNumber
                        departmentName
                      }
                    }
                  }
                }
              }
            }
            manager {
              id
              employeeNumber
              firstName
              lastName
              gender
              birthDate
              hireDate
              titles(first: 3, orderBy: [{field: FROM_DATE, direction: DESCENDING}]) {
                title
                fromDate
                toDate
              }
              salaries(first: 3, orderBy: [{field: FROM_DATE, direction: DESCENDING}]) {
                salary
                fromDate
                toDate
              }
              departments(current: true) {
                fromDate
                toDate
                department {
                  id
                  departmentNumber
                  departmentName
                }
              }
            }
          }
          departments {
            id
            departmentNumber
            departmentName
            managers(current: true) {
              fromDate
              toDate
              employee {
                id
                employeeNumber
                firstName
                lastName
                gender
                birthDate
                hireDate
                titles(first: 3, orderBy: [{field: FROM_DATE, direction: DESCENDING}]) {
                  title
                  fromDate
                  toDate
                }
                salaries(first: 3, orderBy: [{field: FROM_DATE, direction: DESCENDING}]) {
                  salary
                  fromDate
                  toDate
                }
              }
            }
          }
        }
        """

    static func document() throws(ModelError) -> OperationDocument {
        try document(name: "Profile", text: text, variables: [VariableDefinition("id", "ID!")])
    }
}

import { isRequired, itemType, namedType } from './schema.js';
import { problemsIn } from './validation.js';

/** Example queries: `{title, query, variables}`. */
export const EXAMPLES = [
  {
    title: 'One employee, with titles and salaries',
    query: `# One employee with their history, in three statements.
query Employee($id: ID!) {
  employee(id: $id) {
    employeeNumber
    firstName
    lastName
    titles {
      title
      fromDate
      toDate
    }
    salaries(first: 3) {
      salary
      fromDate
      toDate
    }
  }
}
`,
    variables: '{\n  "id": 10004\n}',
  },
  {
    title: 'A page of employees, filtered and sorted',
    query: `# The next page: pass endCursor as "after".
query Page($first: Int! = 10, $after: String, $filter: EmployeeFilter) {
  employees(
    first: $first
    after: $after
    filter: $filter
    sort: { field: HIRE_DATE, direction: DESCENDING }
  ) {
    totalCount
    nodes {
      employeeNumber
      firstName
      lastName
      hireDate
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
    variables: '{\n  "first": 10,\n  "filter": { "name": "Geo*" }\n}',
  },
  {
    title: 'Departments and their managers',
    query: `{
  departments {
    departmentNumber
    departmentName
    managers(current: true) {
      firstName
      lastName
      fromDate
    }
  }
}
`,
    variables: '',
  },
  {
    title: 'Two operations that share a fragment',
    query: `# Run sends the operation at the cursor.
query Now($id: ID!) {
  employee(id: $id) {
    ...Name
    titles(current: true) {
      title
    }
    departments(current: true) {
      departmentName
    }
  }
}

query Before($id: ID!) {
  employee(id: $id) {
    ...Name
    titles(current: false) {
      title
      toDate
    }
  }
}

fragment Name on Employee {
  employeeNumber
  firstName
  lastName
}
`,
    variables: '{\n  "id": 10004\n}',
  },
  {
    title: 'Departments first, an employee in a second part',
    query: `query Deferred($id: ID!) {
  departments {
    departmentName
  }
  ... @defer(label: "employee") {
    employee(id: $id) {
      firstName
      lastName
      salaries {
        salary
        fromDate
      }
    }
  }
}
`,
    variables: '{\n  "id": 10004\n}',
  },
  {
    title: 'A change: a new title',
    query: `# This writes. A payload has either the employee or errors.
mutation Promote($input: AddTitleInput!) {
  addTitle(input: $input) {
    employee {
      firstName
      lastName
      titles {
        title
        fromDate
        toDate
      }
    }
    errors {
      __typename
      message
      field
    }
  }
}
`,
    variables: '{\n  "input": {\n    "employeeId": 10004,\n    "title": "Technique Leader",\n    "fromDate": "2002-08-01"\n  }\n}',
  },
];

/** Returns the examples that are valid for a schema. If none is valid, returns a generated example for the schema. */
export function examplesFor(schema) {
  const fitting = EXAMPLES.filter(({ query }) => problemsIn(query, schema).length === 0);
  return fitting.length > 0 ? fitting : [listExample(schema)].filter(Boolean);
}

/** Returns a query for a few rows of the first list without required arguments. */
function listExample(schema) {
  const isList = (field) => !field.args.some(isRequired) && (itemType(field.type) || schema.field(namedType(field.type), 'nodes'));
  const list = schema.fields(schema.roots.query).find((field) => !field.isMeta && isList(field));
  if (!list) return null;
  const nodes = itemType(list.type) ? null : schema.field(namedType(list.type), 'nodes');
  const row = namedType(nodes ? nodes.type : list.type);
  const leaves = schema.fields(row).filter((field) => !field.isMeta && !schema.isComposite(namedType(field.type)) && !field.args.some(isRequired));
  const fields = (indentation) => leaves.slice(0, 4).map(({ name }) => `${indentation}${name}\n`).join('');
  const body = nodes ? `    nodes {\n${fields('      ')}    }\n` : fields('    ');
  return { title: `The first ${list.name}`, query: `{\n  ${list.name}(first: 10) {\n${body}  }\n}\n`, variables: '' };
}

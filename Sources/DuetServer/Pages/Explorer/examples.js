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
    title: 'Employees by gender and year of hire',
    query: `# Numbers instead of rows: the groups with more than ten employees, the largest first.
{
  employeesGroups(
    groupBy: [{ gender: VALUE }, { hireDate: YEAR }]
    having: { count: { gt: 10 } }
    orderBy: [{ aggregate: { count: VALUE }, direction: DESCENDING }]
    first: 10
  ) {
    nodes {
      key {
        gender
        hireDate {
          year
        }
      }
      count
      birthDate {
        min
      }
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

/** Returns the examples that are valid for a schema. If none is valid, returns generated examples for the schema. */
export function examplesFor(schema) {
  const fitting = EXAMPLES.filter(({ query }) => problemsIn(query, schema).length === 0);
  return fitting.length > 0 ? fitting : [listExample(schema), groupsExample(schema)].filter(Boolean);
}

/** Returns a query for the numbers of rows in the groups of the first list with groups. */
function groupsExample(schema) {
  const list = schema.fields(schema.roots.query).find(({ args }) => args.some(({ name }) => name === 'groupBy'));
  const keys = schema.type(namedType(list?.args.find(({ name }) => name === 'groupBy').type ?? {}))?.inputFields;
  const having = (part) => keys?.filter(({ type }) => schema.type(namedType(type))?.enumValues?.some(({ name }) => name === part)) ?? [];
  // The first field is usually the key of the rows, so each of its groups has one row.
  const [key, part] = [[having('YEAR')[0], 'YEAR'], [having('VALUE')[1] ?? having('VALUE')[0], 'VALUE']].find(([found]) => found) ?? [];
  const group = list && schema.field(namedType(list.type), 'nodes');
  const members = group && schema.field(namedType(group.type), 'key');
  const field = key && members && schema.field(namedType(members.type), key.name);
  if (!field) return null;
  const selection = schema.isComposite(namedType(field.type)) ? `${key.name} { ${part.toLowerCase()} }` : key.name;
  return {
    title: `The number of ${list.name.replace(/Groups$/, '')} by ${key.name}`,
    query: `{\n  ${list.name}(groupBy: [{ ${key.name}: ${part} }], first: 10) {\n    nodes {\n      key { ${selection} }\n      count\n    }\n  }\n}\n`,
    variables: '',
  };
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

/** Returns a number with its noun, such as `1 row` or `1,000 rows`. */
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Returns the median of numbers. For an even count, it is the mean of the two middle numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the item with the median value. For an even count, it is the item with the lower of the two middle values. */
export function medianItem(items, value) {
  return items.toSorted((one, other) => value(one) - value(other))[Math.floor((items.length - 1) / 2)];
}

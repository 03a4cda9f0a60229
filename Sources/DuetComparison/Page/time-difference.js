/** The difference of the times, as a part of the longer time, up to which both sides count as equal. */
const SAME_TIME = 0.1;
/**
 * The minimum number of measured runs on each side. If both sides take equally long, the ranges of their times are
 * disjoint by chance with a probability of 3 % for four runs, 10 % for three runs and 33 % for two runs.
 */
const FEWEST_RUNS = 4;
/** The difference in milliseconds below which two readings of a clock are equal. They differ by rounding errors. */
const ROUNDING_ERROR = 0.001;

/**
 * Returns the resolution of the browser's clock in milliseconds: the least difference of the times that it measured.
 * Browsers round times, for example to 0.1, 1, 16.7 or 100 ms, so the result is at least the unit of rounding.
 *
 * @param {{exchanges: Exchange[]}[]} runs
 * @returns {number} `Infinity` if all times are equal
 */
export function clockResolution(runs) {
  const readings = runs.flatMap(({ exchanges }) => exchanges).flatMap(({ start, answered, end }) => [start, answered, end]);
  const sorted = readings.filter((reading) => reading !== null).sort((one, other) => one - other);
  const steps = sorted.slice(1).map((reading, index) => reading - sorted[index]);
  return steps.filter((step) => step > ROUNDING_ERROR).reduce((one, other) => Math.min(one, other), Infinity);
}

/**
 * Returns true if one side was faster, and neither noise nor the resolution of the clock can be the reason.
 *
 * The time of a run is the sum of its rounds' durations. Each duration has an error of at most the resolution, so the
 * difference must be longer than the resolution times the number of rounds.
 *
 * @param {Costs} one the costs of one side
 * @param {Costs} other the costs of the other side
 * @param {number} resolution the resolution of the clock in milliseconds
 */
export function differInTime(one, other, resolution) {
  if (Math.min(one.times.length, other.times.length) < FEWEST_RUNS) return false;
  const [fast, slow] = one.elapsed < other.elapsed ? [one, other] : [other, one];
  const difference = slow.elapsed - fast.elapsed;
  return difference > SAME_TIME * slow.elapsed
    && difference - Math.max(one.rounds, other.rounds) * resolution > ROUNDING_ERROR
    && Math.max(...fast.times) < Math.min(...slow.times);
}

/** A number with its noun: `1 row`, `1,200 rows`, `2 passes`. Give `plural` if it is not the noun with an s. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${value.toLocaleString('en-US')} ${value === 1 ? noun : plural}`;
}

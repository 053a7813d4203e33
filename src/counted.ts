/**
 * A number with its noun, as people read it: `1 row`, `1,200 rows`, `2 passes`.
 *
 * @param plural where the noun does not take an s
 */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${value.toLocaleString('en-US')} ${value === 1 ? noun : plural}`;
}

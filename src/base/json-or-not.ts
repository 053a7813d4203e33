/** JSON that a person may have changed; undefined if it cannot be read. */
export function jsonOrNot(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

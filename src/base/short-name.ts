import { extname } from 'node:path';

/** Shortens a file name to at most `mostBytes` of UTF-8, the unit of file systems. Keeps the extension. */
export function shortName(name: string, mostBytes: number): string {
  if (Buffer.byteLength(name) <= mostBytes) return name;
  const given = extname(name);
  const ending = Buffer.byteLength(given) < mostBytes / 2 ? given : '';
  let stem = '';
  let left = mostBytes - Buffer.byteLength(ending);
  for (const letter of name) {
    left -= Buffer.byteLength(letter);
    if (left < 0) break;
    stem += letter;
  }
  return stem + ending;
}

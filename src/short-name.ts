import { extname } from 'node:path';

/** A file's name of at most so many bytes in UTF-8, by which file systems count; cut before its ending. */
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

/** The command line that is equivalent to a request, for manifests. */
import { basename } from 'node:path';
import type { z } from 'zod';
import { flagOf } from '../base/option.ts';
import { shellWord } from '../base/shell-word.ts';

/**
 * Leaves out the options of the connection and the folder of `out`, because a file moves with its manifest.
 *
 * @param words the command, such as `export items`
 * @param schemas the options of the command
 */
export function commandLine(
  words: string,
  schemas: readonly z.ZodObject[],
  request: Readonly<Record<string, unknown>>,
): string {
  const shapes = Object.entries<z.ZodType>(Object.assign({}, ...schemas.map(({ shape }) => shape)));
  const given = shapes.flatMap(([key, schema]) => {
    const flag = flagOf(key, schema);
    if (flag === undefined) return [];
    const value = request[key];
    const values = Array.isArray(value) && flag.meta.repeatable !== true ? [value.join(',')] : [value].flat();
    return values.flatMap((each): string[] => {
      if (each === true) return [`--${flag.name}`];
      if (typeof each !== 'string') return [];
      const word = shellWord(key === 'out' ? basename(each) : each);
      return flag.meta.positional === true ? [word] : [`--${flag.name}`, word];
    });
  });
  return ['shelflift', words, ...given].join(' ');
}

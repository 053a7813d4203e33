import { createReadStream } from 'node:fs';
import { SheetError } from '../base/errors.ts';
import { fileError } from './file-error.ts';
import { message } from '../messages/message.ts';

const LINE_FEED = 0x0a;

/**
 * The values of an NDJSON file, in batches. A line ends only at LF: a text may contain U+2028, which other line readers
 * (such as node:readline) treat as a line end. @throws SheetError if the file cannot be read; `broken_json` if a line
 * is not JSON
 */
export async function* readNdjson(file: string): AsyncGenerator<unknown[], void> {
  let number = 0;
  const parse = (line: Buffer): unknown => {
    number += 1;
    try {
      return JSON.parse(line.toString('utf8')) as unknown;
    } catch (cause) {
      throw new SheetError('broken_json', message('line_is_no_json', { line: number }), {
        cause,
        position: { file, line: number },
      });
    }
  };
  let rest: Buffer[] = [];
  for await (const chunk of chunksOf(file)) {
    const values: unknown[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      values.push(parse(Buffer.concat([...rest, chunk.subarray(from, at)])));
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
    if (values.length > 0) yield values;
  }
  if (rest.length > 0) yield [parse(Buffer.concat(rest))];
}

async function* chunksOf(file: string): AsyncGenerator<Buffer, void> {
  try {
    yield* createReadStream(file) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw fileError(file, cause);
  }
}

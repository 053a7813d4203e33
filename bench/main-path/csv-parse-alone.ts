/** The peer of the dry run: csv-parse alone over the same file, rows collected by on_record, one hand-over a batch. */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

let batch: string[][] = [];
let rows = 0;
const parser = parse({
  on_record: (record: string[]) => {
    batch.push(record);
    if (batch.length === 1000) {
      rows += batch.length;
      batch = [];
    }
    return null;
  },
});
createReadStream(process.argv[2] ?? '').pipe(parser);
parser.resume();
await new Promise((resolve, reject) => parser.on('end', resolve).on('error', reject));
process.stdout.write(`${rows + batch.length}\n`);

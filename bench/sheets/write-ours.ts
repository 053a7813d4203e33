import { createTableWriter } from '../../src/sheets/write-table.ts';
import { HEADERS, row } from './rows.ts';

const [file = '', count = '0'] = process.argv.slice(2);
const writer = await createTableWriter({
  file,
  format: 'xlsx',
  columns: HEADERS.map((header, column) => ({ header, kind: column % 3 === 0 ? 'number' : 'text' })),
});
for (let from = 0; from < Number(count); from += 500) {
  await writer.write(Array.from({ length: 500 }, (_, at) => row(from + at)));
}
await writer.finish();

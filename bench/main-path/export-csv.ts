import { createWriteStream } from 'node:fs';
import { stringify } from 'csv-stringify';
import { COLUMNS, pages } from './pages.ts';

const file = createWriteStream(process.argv[2] ?? '');
const rows = stringify({ header: true, columns: COLUMNS });
rows.pipe(file);
for await (const page of pages()) for (const row of page) rows.write(row);
rows.end();
await new Promise((resolve) => file.on('close', () => resolve(undefined)));

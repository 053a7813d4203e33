import { openTable } from '../../src/sheets/open-table.ts';

const table = await openTable(process.argv[2] ?? '', {});
let cells = 0;
for await (const rows of table.batches) for (const row of rows) cells += row.cells.length;
process.stdout.write(`${cells}\n`);

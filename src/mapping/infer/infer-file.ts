/** Proposes a template for a file: `template infer`. Reads its first rows only, so a file of any size takes seconds. */
import { basename, extname } from 'node:path';
import { cellText } from '../../sheets/cell.ts';
import { openTable } from '../../sheets/open-table.ts';
import { peekRows } from '../../sheets/peek-rows.ts';
import type { OpenOptions } from '../../sheets/table.ts';
import { SCHEMA_FILE } from '../template/load-template.ts';
import { recogniseExport } from '../template/recognise.ts';
import { type Inference, inferColumns, SAMPLE_ROWS } from './infer-columns.ts';
import { writeTemplate } from './write-template.ts';

export interface InferredFile {
  /** Absolute path. */
  file: string;
  /** How the file was read, for people. */
  detected: string;
  inference: Inference;
  /** The template, as YAML with comments. */
  template: string;
  /** Name of the shipped template for files with these headers; absent where there is none. */
  shipped?: string;
}

/** @throws SheetError for a file that cannot be read; UsageError `duplicate_column` for headers that clash */
export async function inferFile(path: string, options: OpenOptions): Promise<InferredFile> {
  const table = await openTable(path, options);
  const { rows, close } = await peekRows(table, SAMPLE_ROWS);
  await close();
  const sample = rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells);
  const { headers, letters, format, file, detected } = table;
  const inference = inferColumns(
    { headers, letters, format, map: {}, defaults: {}, mode: 'create', match: [] },
    sample,
  );
  const shipped = await recogniseExport(headers);
  const known = shipped === undefined ? {} : { shipped };
  const template = writeTemplate(inference, {
    ...known,
    name: basename(file, extname(file)),
    file: basename(file),
    schema: SCHEMA_FILE,
    texts: (index) =>
      sample.map((cells) => cellText(cells[index] ?? null).trim()).filter((text) => text !== ''),
  });
  return { file, detected, inference, template, ...known };
}

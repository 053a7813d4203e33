/** Proposes a template for a file: `template infer`. The first rows decide; words are listed over the whole file. */
import { basename, extname } from 'node:path';
import { cellText } from '../../sheets/cell.ts';
import { openTable } from '../../sheets/open-table.ts';
import { peekRows } from '../../sheets/peek-rows.ts';
import type { OpenOptions, SheetTable } from '../../sheets/table.ts';
import { isWordField } from '../targets.ts';
import { SCHEMA_FILE } from '../template/load-template.ts';
import { recogniseExport } from '../template/recognise.ts';
import { countWord } from './column-profile.ts';
import { type Inference, inferColumns, SAMPLE_ROWS } from './infer-columns.ts';
import { builtInWords, isBlankWord, type WordField } from '../word-lists.ts';
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
  const { rows } = await peekRows(table, SAMPLE_ROWS);
  const sample = rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells);
  const { headers, letters, format, file, detected } = table;
  const inference = inferColumns(
    { headers, letters, format, map: {}, defaults: {}, mode: 'create', match: [] },
    sample,
  );
  await countWords(table, inference);
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

/** Words that a field does not know, over all rows: each that is not listed would fail later. Reads the table to its end. */
async function countWords(table: SheetTable, { columns }: Inference): Promise<void> {
  const counted = columns.flatMap(({ target, index, profile }) => {
    if (target === undefined || !isWordField(target)) return [];
    const field: WordField = target;
    profile.unknownWords[field].clear();
    return [{ index, words: profile.unknownWords[field], list: builtInWords(field) }];
  });
  for await (const batch of table.batches) {
    if (counted.length === 0) break;
    for (const { cells } of batch) {
      for (const { index, words, list } of counted) {
        const text = cellText(cells[index] ?? null).trim();
        if (text === '' || isBlankWord(text) || list.find(text) !== undefined) continue;
        countWord(words, text);
      }
    }
  }
}

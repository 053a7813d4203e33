/** Proposes a template for a file: `template infer`. The first rows decide; words are listed over the whole file. */
import type { Message } from '../../messages/params.ts';
import { basename, extname } from 'node:path';
import { saidOf, UsageError } from '../../base/errors.ts';
import { cellText } from '../../sheets/cell.ts';
import { openTable } from '../../sheets/open-table.ts';
import { peekRows } from '../../sheets/peek-rows.ts';
import type { OpenOptions, SheetTable } from '../../sheets/table.ts';
import { compileMapping } from '../compile.ts';
import type { MappingOptions } from '../mapping.ts';
import { schemaFile } from '../template/load-template.ts';
import { recogniseExport } from '../template/recognise.ts';
import { countWord } from './column-profile.ts';
import type { Inference } from './column-guess.ts';
import { dataInHeader, hasKnownHeader, headerIsData, refuseTransposed } from './data-header.ts';
import { sheetFit } from './fit-sheet.ts';
import { inferColumns, SAMPLE_ROWS } from './infer-columns.ts';
import { inferredTemplate } from './inferred-template.ts';
import { isWordField, builtInWords, isBlankWord, type WordField } from '../word-lists.ts';
import { writeTemplate } from './write-template.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';

export interface InferredFile {
  /** Absolute path. */
  file: string;
  /** How the file was read. */
  detected: Message[];
  inference: Inference;
  /** The template, as YAML with comments. */
  template: string;
  /** Name of the shipped template for files with these headers; absent if there is none. */
  shipped?: string;
}

/**
 * @param knownAs the file's name in the result, if the file is a copy
 * @throws SheetError for a file that cannot be read; UsageError as an import of it: `header_is_data`, `no_name_column`
 */
export async function inferFile(path: string, options: OpenOptions, knownAs?: string): Promise<InferredFile> {
  const table = await openTable(path, { ...options, fit: sheetFit() });
  const { rows, close } = await peekRows(table, SAMPLE_ROWS);
  const sample = rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells);
  const { headers, letters, format, detected, sheet } = table;
  const file = knownAs ?? table.file;
  const columns: MappingOptions = {
    headers,
    letters,
    format,
    map: {},
    defaults: {},
    mode: 'create',
    match: [],
  };
  const inference = inferColumns(columns, sample);
  const shipped = await recogniseExport(headers);
  try {
    const isNamed = options.headerRow !== undefined || hasKnownHeader(columns);
    const data = isNamed ? undefined : dataInHeader(columns, sample);
    if (data !== undefined) throw headerIsData({ ...table, file }, data);
    refuseTransposed(columns, sample, { ...table, file });
    // Refuses a file that an import with this template would refuse.
    const template = inferredTemplate(inference, columns);
    compileMapping({ ...columns, ...(template === undefined ? {} : { template }) });
  } catch (error) {
    await close();
    if (!(error instanceof UsageError) || error.position !== undefined) throw error;
    const { code, actions } = error;
    const position = { file, row: table.headerRow, ...(sheet === undefined ? {} : { sheet }) };
    const label = message('to_use_matching_template', {});
    const use: Action[] =
      shipped === undefined ? [] : [{ do: 'setOption', option: 'template', value: shipped, label }];
    throw new UsageError(code, saidOf(error), { cause: error, position, actions: [...actions, ...use] });
  }
  await countWords(table, inference);
  const known = shipped === undefined ? {} : { shipped };
  const template = writeTemplate(inference, {
    ...known,
    name: basename(file, extname(file)),
    file: basename(file),
    schema: schemaFile(),
    texts: (index) =>
      sample.map((cells) => cellText(cells[index] ?? null).trim()).filter((text) => text !== ''),
  });
  return { file, detected, inference, template, ...known };
}

/**
 * Counts the words in all rows that are unknown to their field: each word that is not listed would fail
 * later. Reads the table to its end.
 */
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

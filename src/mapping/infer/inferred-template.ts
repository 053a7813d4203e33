/** The part of an inference that headers alone do not show, as a template that an import can use. */
import { UsageError } from '../../base/errors.ts';
import { chooseColumns } from '../columns/columns.ts';
import type { MappingOptions } from '../mapping.ts';
import { isSecretHeader } from '../secrets.ts';
import { INFERRED, Template, type TemplateInput } from '../template/template.ts';
import { type ColumnGuess, type Inference, nameOf, sourceOf } from './column-guess.ts';

/** The columns that are likely, and so require confirmation. */
export function unsureColumns({ columns }: Inference): ColumnGuess[] {
  return columns.filter((column) => column.confidence === 'likely');
}

/**
 * The columns that are certain or likely, and those that a mapping without values would take by mistake. Undefined if
 * headers and flags alone give the same result, unless `always` is set.
 */
export function inferredTemplate(
  inference: Inference,
  options: MappingOptions,
  always = false,
): Template | undefined {
  const all = inference.columns;
  const byHeader = targetsByHeader(options);
  const used = all.filter(({ confidence }) => confidence === 'certain' || confidence === 'likely');
  const secret = all.filter(
    ({ reason, header }) => reason.code === 'looks_secret' && !isSecretHeader(header),
  );
  const isSame =
    byHeader !== undefined &&
    secret.length === 0 &&
    unsureColumns(inference).length === 0 &&
    used.every(({ options: own }) => own === undefined) &&
    all.every((column) => (used.includes(column) ? column.target : undefined) === byHeader[column.index]);
  if (isSame && !always) return undefined;
  const columns: NonNullable<TemplateInput['columns']> = {};
  const ticked = used.filter((column) => column.ticked === true);
  // Columns that need confirmation come first, because messages list the columns in this order.
  for (const column of [...unsureColumns(inference), ...used]) {
    const { ticked: isTicked, byFlag, isPart, target } = column;
    if (isTicked === true || byFlag === true || isPart === true || target === undefined) continue;
    columns[target] ??= { ...sourceOf(column), ...column.options };
  }
  if (ticked.length > 0) columns['tags'] = { ...tagsOf(columns['tags']), ticked: tickedBy(ticked) };
  const ignore = secret.map((column) => nameOf(column));
  return Template.parse({
    name: INFERRED,
    columns,
    ...(ignore.length === 0 ? {} : { ignore }),
  } satisfies TemplateInput);
}

function tagsOf(column: NonNullable<TemplateInput['columns']>[string] | undefined) {
  return typeof column === 'object' && !Array.isArray(column) ? column : {};
}

/** Ticked columns by header, which is the tag; by letter if several columns have the header. */
export function tickedBy(ticked: readonly ColumnGuess[]): string[] | Record<string, string> {
  const names = ticked.map((column) => nameOf(column));
  const isPlain = ticked.every(({ header }, index) => names[index] === header);
  return isPlain ? names : Object.fromEntries(ticked.map(({ header }, index) => [names[index], header]));
}

/** Target by column, from headers and flags alone; undefined if they contradict each other. */
function targetsByHeader(options: MappingOptions): (string | undefined)[] | undefined {
  try {
    return chooseColumns(options).uses.map(({ target }) => target);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

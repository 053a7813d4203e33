/** The part of an inference that headers alone do not say, as a template that an import can use. */
import { INFERRED, Template, type TemplateInput } from '../template/template.ts';
import { type ColumnGuess, type Inference, sourceOf } from './infer-columns.ts';

/** The columns that are likely, and so need a person's word. */
export function unsureColumns({ columns }: Inference): ColumnGuess[] {
  return columns.filter((column) => column.confidence === 'likely');
}

/**
 * What is likely, as a template beside which headers are still understood as ever. Undefined where headers said
 * all there is.
 */
export function inferredTemplate(inference: Inference): Template | undefined {
  const unsure = unsureColumns(inference);
  if (unsure.length === 0) return undefined;
  const columns: NonNullable<TemplateInput['columns']> = {};
  const ticked: string[] = [];
  for (const column of unsure) {
    if (column.ticked === true) ticked.push(column.header);
    else columns[column.target ?? ''] = sourceOf(column, inference.columns);
  }
  if (ticked.length > 0) columns['tags'] = { ticked };
  return Template.parse({ name: INFERRED, columns } satisfies TemplateInput);
}

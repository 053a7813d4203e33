/** How a template wants its file applied: `status-change` updates, by the first key that the file has. */
import { UsageError } from '../errors.ts';
import { chooseColumns } from './columns.ts';
import { listHeaders } from './find-column.ts';
import type { MappingOptions } from './mapping.ts';
import type { Template } from './template.ts';

export interface TemplateMode {
  mode?: MappingOptions['mode'];
  match?: string[];
}

/**
 * The mode and the match fields that the template names, for what the command line left open. Of several
 * matches the first whose columns the file has is taken; UsageError `no_match_column` where it has none of
 * them. A template without `mode` or `match` leaves them out.
 *
 * @param options headers, letters and `map` of the file at hand
 */
export function templateMode(
  template: Template,
  options: Pick<MappingOptions, 'headers' | 'letters' | 'map' | 'format'>,
): TemplateMode {
  const mode = template.mode;
  if (template.match === undefined) return mode === undefined ? {} : { mode };
  for (const key of template.match) {
    const match = [key].flat();
    const { sources } = chooseColumns({ ...options, template, match, mode: mode ?? 'update', defaults: {} });
    if (match.every((field) => sources.some((source) => source.target === field))) {
      return mode === undefined ? { match } : { mode, match };
    }
  }
  const keys = template.match.map((key) => [key].flat().join(' + ')).join(', or ');
  throw new UsageError(
    'no_match_column',
    `template "${template.name}" finds items by ${keys}, and the file has no such column`,
    { remedy: `the columns are ${listHeaders(options)}: name one with --map "id=…"` },
  );
}

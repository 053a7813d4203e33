/** How a template wants its file applied: `status-change` updates, by the first key that the file has. */
import { UsageError } from '../../errors.ts';
import { chooseColumns } from '../columns/columns.ts';
import { listHeaders } from '../columns/find-column.ts';
import type { MappingOptions } from '../mapping.ts';
import type { Template } from './template.ts';

export interface TemplateMode {
  mode: MappingOptions['mode'];
  match: string[];
}

/** The file at hand, and what the command line said. */
export interface TemplateModeOptions extends Pick<MappingOptions, 'headers' | 'letters' | 'map' | 'format'> {
  /** `--mode`; absent where it was not given. */
  mode?: MappingOptions['mode'];
  /** `--match`; absent where it was not given. */
  match?: string[];
}

/**
 * The mode and the match fields: the command line's where it gave them, else the template's, else a create. Of
 * a template's several matches the first whose columns the file has is taken; UsageError `no_match_column`
 * where it has none of them.
 */
export function templateMode(template: Template | undefined, options: TemplateModeOptions): TemplateMode {
  const mode = options.mode ?? template?.mode ?? 'create';
  if (options.match !== undefined) return { mode, match: options.match };
  if (mode === 'create' || template?.match === undefined) return { mode, match: [] };
  for (const key of template.match) {
    const match = [key].flat();
    const { sources } = chooseColumns({ ...options, template, match, mode, defaults: {} });
    if (match.every((field) => sources.some((source) => source.target === field))) return { mode, match };
  }
  const keys = template.match.map((key) => [key].flat().join(' + ')).join(', or ');
  throw new UsageError(
    'no_match_column',
    `template "${template.name}" finds items by ${keys}, and the file has no such column`,
    { remedy: `the columns are ${listHeaders(options)}: name one with --map "id=…"` },
  );
}

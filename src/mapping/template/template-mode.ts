/** How a template's file is applied: `status-change`, for example, updates items by the first key that the file has. */
import { UsageError } from '../../base/errors.ts';
import { chooseColumns } from '../columns/columns.ts';
import { columnsAre, mapField } from '../columns/find-column.ts';
import type { MappingOptions } from '../mapping.ts';
import type { Template } from './template.ts';
import { message } from '../../messages/message.ts';

export interface TemplateMode {
  mode: MappingOptions['mode'];
  match: string[];
}

/** The file, and the options from the command line. */
export interface TemplateModeOptions extends Pick<MappingOptions, 'headers' | 'letters' | 'map' | 'format'> {
  /** `--mode`, if given. */
  mode?: MappingOptions['mode'];
  /** `--match`, if given. */
  match?: string[];
}

/**
 * The mode and the match fields: from the command line, otherwise from the template, otherwise a create. If a template
 * has several keys, the first whose columns the file has is used.
 *
 * @throws UsageError `no_match_column` if the file has the columns of none
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
  const keys = template.match.map((key) => [key].flat().join(' + '));
  throw new UsageError('no_match_column', message('template_finds_by', { template: template.name, keys }), {
    actions: [columnsAre(options), mapField('id', 'HEADER')],
  });
}

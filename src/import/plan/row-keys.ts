/** The key of a row, by which `--match` finds its item. */
import { cut } from '../../mapping/casts/cast.ts';
import { CLEAR } from '../../mapping/mapping.ts';
import { customField, keyOfValues, type KeyRule } from '../changes/match-key.ts';
import type { RowPatch } from '../engine/input.ts';

export class RowKeys {
  readonly #rule: KeyRule;
  /** The fields of `--match`, as messages name them. */
  readonly label: string;

  constructor(rule: KeyRule) {
    this.#rule = rule;
    this.label = rule.match.join(' + ');
  }

  get match(): readonly string[] {
    return this.#rule.match;
  }

  /** The key of a row, '' if all its key cells are blank. */
  of(patch: RowPatch): string {
    return keyOfValues(this.#rule, (field) => {
      if (field === 'id') return patch.id;
      const custom = customField(field);
      const mapped =
        custom === undefined ? patch.fields[field as keyof RowPatch['fields']] : patch.customFields[custom];
      if (mapped === undefined || mapped.value === CLEAR) return undefined;
      return custom === undefined ? mapped.value : mapped.text;
    });
  }

  /** The key as the file writes it. */
  asWritten({ id, fields, customFields }: RowPatch): { found: string } {
    const parts = this.match.map((field) => {
      const custom = customField(field);
      if (field === 'id') return id ?? '';
      return (custom === undefined ? fields[field as keyof typeof fields] : customFields[custom])?.text ?? '';
    });
    return { found: cut(parts.map((part) => part.trim()).join(' + ')) };
  }

  /** The patch without the fields of the key: `--match` treats ` af-1 ` and `AF-1` as equal, so that is no change. */
  besides(patch: RowPatch): RowPatch {
    const kept = <T>(record: Record<string, T>, prefix: string) =>
      Object.fromEntries(Object.entries(record).filter(([key]) => !this.match.includes(`${prefix}${key}`)));
    return {
      ...patch,
      fields: kept(patch.fields, ''),
      customFields: kept(patch.customFields, 'custom_fields.'),
    };
  }
}

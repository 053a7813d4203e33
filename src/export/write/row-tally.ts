/** Facts about the rows for columns and manifest: their number, statuses, values and custom fields. */
import type { Item } from '../../api/schemas.ts';
import { ValueTotals } from './value-totals.ts';

export class RowTally {
  rows = 0;
  readonly statuses = new Map<string, number>();
  readonly values = new ValueTotals();
  /** Names of the custom fields in the rows. */
  readonly customFields = new Set<string>();

  add(item: Item): void {
    this.rows += 1;
    this.statuses.set(item.status, (this.statuses.get(item.status) ?? 0) + 1);
    for (const name in item.custom_fields) this.customFields.add(name);
    if (typeof item.estimated_value === 'number') this.values.add(item.estimated_value, item.currency);
  }

  clear(): void {
    this.rows = 0;
    this.statuses.clear();
    this.values.clear();
    this.customFields.clear();
  }
}

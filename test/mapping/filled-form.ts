import { expect } from 'vitest';
import type { OpenImport } from '../support/open-import.ts';

/** A form that was filled in with Falcon, all of its fields, and Tie, its name alone: both are items now. */
export async function expectImported(it: OpenImport, file: string): Promise<void> {
  const { summary } = await it.import({ file });
  expect(summary.rows).toMatchObject({ read: 2, created: 2 });
  expect(it.items().find((item) => item.name === 'Falcon')).toMatchObject({
    brand: 'Kenner',
    series: '007',
    release_year: 1979,
    condition: 'loose_good',
    packaging: 'loose',
    status: 'sell',
    estimated_value: 12.5,
    tags: ['rare', 'signed'],
  });
}

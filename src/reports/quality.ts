/** Gaps in an inventory's data: missing fields, odd values, and names in several spellings. */
import type { Item } from '../api/schemas.ts';
import type { Row, Section } from './model.ts';
import { shareOf } from '../export/tally.ts';
import { similarNames } from './similar-names.ts';

/** Example items shown for a gap. */
const EXAMPLES = 3;
/** Spellings shown for a name. */
const SPELLINGS = 6;

const GAPS: readonly { key: string; title: string; applies: (item: Item) => boolean }[] = [
  { key: 'no_value', title: 'No value', applies: (item) => typeof item.estimated_value !== 'number' },
  { key: 'value_0', title: 'A value of 0', applies: (item) => item.estimated_value === 0 },
  {
    key: 'value_below_0',
    title: 'A value below 0',
    applies: (item) => typeof item.estimated_value === 'number' && item.estimated_value < 0,
  },
  { key: 'no_year', title: 'No year', applies: (item) => typeof item.release_year !== 'number' },
  { key: 'no_brand', title: 'No brand', applies: (item) => blank(item.brand) },
  { key: 'no_condition', title: 'No condition', applies: (item) => blank(item.condition) },
  { key: 'no_packaging', title: 'No packaging', applies: (item) => blank(item.packaging) },
];

export class Quality {
  readonly #found = GAPS.map(() => ({ items: 0, examples: [] as string[] }));
  readonly #names = new Map<string, number>();
  readonly #brands = new Map<string, number>();
  #items = 0;

  add(item: Item): void {
    this.#items += 1;
    this.#names.set(item.name, (this.#names.get(item.name) ?? 0) + 1);
    if (!blank(item.brand)) this.#brands.set(item.brand ?? '', (this.#brands.get(item.brand ?? '') ?? 0) + 1);
    for (const [index, { applies }] of GAPS.entries()) {
      const found = this.#found[index];
      if (found === undefined || !applies(item)) continue;
      found.items += 1;
      if (found.examples.length < EXAMPLES) found.examples.push(item.name);
    }
  }

  sections(): Section[] {
    return [this.#gaps(), this.#similar()];
  }

  #gaps(): Section {
    const rows = GAPS.flatMap(({ key, title }, index): Row[] => {
      const { items, examples } = this.#found[index] ?? { items: 0, examples: [] };
      if (items === 0) return [];
      const more = items > examples.length ? ', …' : '';
      return [{ key, values: [title, items, shareOf(items, this.#items), examples.join(', ') + more] }];
    });
    return {
      id: 'data_quality',
      title: 'Data quality',
      notes: [],
      columns: [
        { key: 'gap', title: 'Gap', kind: 'text' },
        { key: 'items', title: 'Items', kind: 'count' },
        { key: 'share', title: 'Share', kind: 'share' },
        { key: 'examples', title: 'Examples', kind: 'text' },
      ],
      blocks: rows.length === 0 ? [] : [{ currency: undefined, rows }],
      empty: 'Nothing is missing.',
    };
  }

  #similar(): Section {
    const brands = similarNames(this.#brands, 'case').map((each) => ({ ...each, of: 'Brand ' }));
    const names = similarNames(this.#names).map((each) => ({ ...each, of: '' }));
    const rows = [...names, ...brands].map(({ spellings, items, of }): Row => {
      const shown = spellings.slice(0, SPELLINGS).map((each) => `${each.name} (${each.items})`);
      const more = spellings.length > SPELLINGS ? ` and ${spellings.length - SPELLINGS} more` : '';
      return {
        key: of + (spellings[0]?.name ?? ''),
        values: [of + shown.join(' · ') + more, spellings.length, items],
      };
    });
    return {
      id: 'similar_names',
      title: 'Similar names',
      notes: [
        'Names that differ only in case, accents, punctuation, word order or one letter, and may be the same name. Digits count: Series 1 and Series 2 are different. Brands are listed if they differ only in case.',
      ],
      columns: [
        { key: 'spellings', title: 'Spellings (items)', kind: 'text' },
        { key: 'ways', title: 'Count', kind: 'count' },
        { key: 'items', title: 'Items', kind: 'count' },
      ],
      blocks: rows.length === 0 ? [] : [{ currency: undefined, rows }],
      empty: 'No two names are alike.',
    };
  }
}

function blank(text: string | null | undefined): boolean {
  return text === undefined || text === null || text.trim() === '';
}

/** Templates for other programs' exports: each on a file of that shape, down to what would be sent. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkTemplate } from '../../src/mapping/template/check-template.ts';
import { inferFile } from '../../src/mapping/infer/infer-file.ts';
import { loadTemplate } from '../../src/mapping/template/load-template.ts';
import { recogniseExport } from '../../src/mapping/template/recognise.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import { peekRows } from '../../src/sheets/peek-rows.ts';
import { EXPORT_HEADERS } from '../demo/export-headers.ts';

const ROOT = resolve(import.meta.dirname, '../..');

interface Expected {
  file: string;
  counts: { read: number; skipped: number; items: number };
  /** Row → what is sent for it, whole; or why it is skipped. */
  rows: Record<number, Record<string, unknown> | string>;
}

const EXPORTS: Record<keyof typeof EXPORT_HEADERS, Expected> = {
  boardgamegeek: {
    file: 'boardgamegeek.csv',
    counts: { read: 16, skipped: 5, items: 12 },
    rows: {
      6: {
        name: 'Salt Road Express',
        brand: 'Krummholz Spiele',
        release_year: 1999,
        status: 'trade',
        'custom_fields.year_published': 1999,
        'custom_fields.bgg_id': '118608',
        'custom_fields.bgg_collection_id': '830256',
        'custom_fields.condition_text': 'In shrink',
        'custom_fields.edition': 'English edition',
        'custom_fields.languages': 'English',
        'custom_fields.item_type': 'standalone',
        'custom_fields.plays': 0,
      },
      7: {
        name: 'Nine Bells',
        'custom_fields.year_published': 1935,
        'custom_fields.bgg_id': '111705',
        'custom_fields.bgg_collection_id': '781935',
        'custom_fields.location': 'Attic',
        'custom_fields.item_type': 'standalone',
        'custom_fields.rating': 6,
        'custom_fields.plays': 0,
        'custom_fields.comment': "Grandfather's copy",
      },
      8: {
        name: 'Senate of Crows',
        brand: 'Otter Row Games',
        release_year: 2023,
        estimated_value: 85,
        'custom_fields.year_published': 2023,
        'custom_fields.bgg_id': '116678',
        'custom_fields.bgg_collection_id': '816746',
        'custom_fields.paid': '69.99 USD',
        'custom_fields.acquired_on': '2023-11-02',
        'custom_fields.acquired_from': 'Crowdfunding',
        'custom_fields.location': 'Shelf 4',
        'custom_fields.edition': 'English edition',
        'custom_fields.languages': 'English',
        'custom_fields.item_type': 'standalone',
        'custom_fields.plays': 0,
      },
      12: 'own is 0 and wishlist is 1',
    },
  },
  discogs: {
    file: 'discogs.csv',
    counts: { read: 15, skipped: 0, items: 15 },
    rows: {
      3: {
        name: 'The Paper Owls – Both Sides / Its Lights',
        brand: 'Owl Row Records, Human Kind (2)',
        release_year: 1981,
        condition: 'loose_good',
        'custom_fields.released': 1981,
        'custom_fields.media_condition': 'Very Good Plus (VG+)',
        'custom_fields.sleeve_condition': 'Very Good Plus (VG+)',
        'custom_fields.catalog_number': '- owl - 4, owl4',
        'custom_fields.artist': 'The Paper Owls',
        'custom_fields.format': '12", EP',
        'custom_fields.discogs_release_id': '9100002',
        'custom_fields.folder': 'Uncategorized',
        'custom_fields.date_added': '2022-10-25 04:18:01',
        'custom_fields.rating': 4,
      },
      5: {
        name: 'Field & Furrow – Sounds of Barley',
        brand: 'Grain, Grain',
        condition: 'loose_good',
        'custom_fields.released': 1966,
        'custom_fields.media_condition': 'Very Good (VG)',
        'custom_fields.sleeve_condition': 'Good (G)',
        'custom_fields.catalog_number': 'SBPG 1, 1',
        'custom_fields.artist': 'Field & Furrow',
        'custom_fields.format': 'LP, Album, Mono',
        'custom_fields.discogs_release_id': '9100004',
        'custom_fields.folder': 'Uncategorized',
        'custom_fields.date_added': '2022-10-25 04:18:01',
      },
      6: {
        name: 'Field & Furrow – Barley Again',
        brand: 'Grain',
        condition: 'loose_fair',
        'custom_fields.media_condition': 'Good Plus (G+)',
        'custom_fields.sleeve_condition': 'Generic',
        'custom_fields.catalog_number': 'GR 2',
        'custom_fields.artist': 'Field & Furrow',
        'custom_fields.format': 'LP, Album, RE',
        'custom_fields.discogs_release_id': '9100005',
        'custom_fields.folder': 'Uncategorized',
        'custom_fields.date_added': '2022-10-25 04:18:01',
      },
    },
  },
  goodreads: {
    file: 'goodreads.csv',
    counts: { read: 15, skipped: 3, items: 13 },
    rows: {
      2: {
        name: 'The Salt Clerk',
        series: 'The Ledger Cycle',
        brand: 'Harrow & Finch',
        release_year: 2007,
        tags: ['fantasy', 'favorites'],
        'custom_fields.volume': '1',
        'custom_fields.year_published': 2007,
        'custom_fields.first_published': 2007,
        'custom_fields.author': 'Ines Varga',
        'custom_fields.isbn': '000000001X',
        'custom_fields.isbn13': '9780000000019',
        'custom_fields.binding': 'Paperback',
        'custom_fields.pages': 312,
        'custom_fields.shelf': 'read',
        'custom_fields.rating': 5,
        'custom_fields.date_added': '2023/01/02',
        'custom_fields.goodreads_id': '4200001',
      },
      4: 'Exclusive Shelf is to-read and Owned Copies is 0',
      7: {
        name: 'The Grey Verandah',
        brand: 'Scrivener',
        'custom_fields.year_published': 1954,
        'custom_fields.first_published': 1925,
        'custom_fields.author': 'F. Aldous Pike',
        'custom_fields.binding': 'Hardcover',
        'custom_fields.pages': 312,
        'custom_fields.shelf': 'read',
        'custom_fields.date_added': '2023/01/02',
        'custom_fields.goodreads_id': '4200006',
      },
    },
  },
  librarything: {
    file: 'librarything.tsv',
    counts: { read: 15, skipped: 3, items: 13 },
    rows: {
      2: {
        name: 'The Salt Clerk',
        brand: 'Harrow & Finch',
        release_year: 2007,
        tags: ['fantasy', 'ledgers', 'guilds'],
        'custom_fields.date': '2007',
        'custom_fields.author': 'Varga, Ines',
        'custom_fields.publication': 'Harrow & Finch (2007), Paperback',
        'custom_fields.isbn': '000000001X',
        'custom_fields.media': 'Paperback',
        'custom_fields.pages': 312,
        'custom_fields.languages': 'English',
        'custom_fields.collections': 'Your library',
        'custom_fields.acquired_on': '2008-04-16',
        'custom_fields.acquired_from': 'Corner Books',
        'custom_fields.rating': 4.5,
        'custom_fields.librarything_id': '5400001',
      },
      5: {
        name: 'Poems',
        brand: 'Kestrel Classics',
        release_year: 1969,
        'custom_fields.date': 'c1969',
        'custom_fields.author': 'Thorne, Ada',
        'custom_fields.publication': 'Kestrel Classics (1969)',
        'custom_fields.media': 'Paperback',
        'custom_fields.pages': 312,
        'custom_fields.languages': 'English',
        'custom_fields.collections': 'Your library',
        'custom_fields.notes': 'foxed, "as is"',
        'custom_fields.librarything_id': '5400004',
      },
      8: 'Collections matches (?i)^(?:wishlist|read but unowned|favorites|to read|,| )+$',
    },
  },
  pricecharting: {
    file: 'pricecharting.csv',
    counts: { read: 16, skipped: 1, items: 19 },
    rows: {
      15: 'quantity is 0',
      2: {
        name: 'Dusk Courier',
        series: 'Nintendo Switch',
        estimated_value: 25.49,
        packaging: 'in_package',
        'custom_fields.includes': 'New Item, Box, and Manual',
        'custom_fields.condition': 'Normal wear',
        'custom_fields.date_entered': '2024-01-02',
        'custom_fields.pricecharting_id': '6100001',
      },
      3: {
        name: 'Turbo Snails 2',
        series: 'Playstation 3',
        estimated_value: 7.99,
        packaging: 'opened',
        'custom_fields.includes': 'Item, Box, and Manual',
        'custom_fields.condition': 'Normal wear',
        'custom_fields.paid': 5,
        'custom_fields.bought_on': '12/25/2023',
        'custom_fields.date_entered': '2024-01-02',
        'custom_fields.pricecharting_id': '6100002',
      },
      10: {
        name: 'Old Lantern',
        series: 'Pokemon Ashen Valley',
        estimated_value: 1836,
        'custom_fields.includes': 'CGC 10',
        'custom_fields.condition': 'Normal wear',
        'custom_fields.grading_company': 'CGC',
        'custom_fields.grading_id': '0041237001',
        'custom_fields.date_entered': '2024-01-02',
        'custom_fields.pricecharting_id': '6100009',
      },
    },
  },
  deckbox: {
    file: 'deckbox.csv',
    counts: { read: 15, skipped: 1, items: 40 },
    rows: {
      3: {
        name: 'Rise // Fall Back',
        series: 'Ashen Vale',
        condition: 'loose_mint',
        estimated_value: 4.5,
        tags: ['foil'],
        status: 'trade',
        'custom_fields.condition': 'Near Mint',
        'custom_fields.card_number': '27',
        'custom_fields.language': 'English',
        'custom_fields.tradelist_count': 1,
      },
      4: {
        name: 'Tidewatcher',
        series: 'Harbour of Bells',
        condition: 'loose_good',
        'custom_fields.condition': 'Good (Lightly Played)',
        'custom_fields.card_number': '8',
        'custom_fields.language': 'English',
        'custom_fields.tradelist_count': 2,
      },
      10: 'Count is 0',
    },
  },
  moxfield: {
    file: 'moxfield.csv',
    counts: { read: 15, skipped: 1, items: 32 },
    rows: {
      3: {
        name: 'Rise // Fall Back',
        series: 'asv',
        condition: 'loose_mint',
        tags: ['foil'],
        status: 'trade',
        'custom_fields.condition': 'Near Mint',
        'custom_fields.collector_number': '27',
        'custom_fields.language': 'English',
        'custom_fields.tradelist_count': 1,
        'custom_fields.altered': false,
        'custom_fields.proxy': false,
        'custom_fields.paid': 4.5,
        'custom_fields.last_modified': '2024-03-02 17:21:09.283000',
      },
      5: {
        name: "Crow's Bargain",
        series: 'pgd',
        condition: 'loose_mint',
        tags: ['etched'],
        'custom_fields.condition': 'Mint',
        'custom_fields.collector_number': '7★',
        'custom_fields.language': 'English',
        'custom_fields.altered': false,
        'custom_fields.proxy': false,
        'custom_fields.last_modified': '2024-03-02 17:21:09.283000',
      },
    },
  },
  shopify: {
    file: 'shopify.csv',
    counts: { read: 15, skipped: 6, items: 16 },
    rows: {
      15: 'Gift Card is true',
      2: {
        name: 'Tin Robot HX-7',
        brand: 'Nomad Toys',
        series: 'Robots',
        estimated_value: 129,
        status: 'sell',
        tags: ['1960s', 'Tin', 'Wind-up'],
        'custom_fields.sku': 'ROB-007',
        'custom_fields.barcode': '0365275101829',
        'custom_fields.cost': 60,
        'custom_fields.shopify_handle': 'tin-robot-hx7',
      },
      3: 'Variant Price is blank',
      6: {
        name: 'captain-garrow',
        estimated_value: 12,
        'custom_fields.option1': 'Loose',
        'custom_fields.sku': 'GAR-LSE',
        'custom_fields.shopify_handle': 'captain-garrow',
      },
    },
  },
  woocommerce: {
    file: 'woocommerce.csv',
    counts: { read: 16, skipped: 5, items: 18 },
    rows: {
      16: {
        name: 'Captain Garrow - Promo',
        estimated_value: 60,
        status: 'sell',
        'custom_fields.categories': ['Toys > Figures'],
        'custom_fields.sku': 'gar-prm',
        'custom_fields.woocommerce_id': '59',
      },
      2: 'Type matches (?i)variable|grouped|external|virtual',
      5: {
        name: 'Moth Queen',
        estimated_value: 18.99,
        tags: ['series 2', 'rare'],
        status: 'sell',
        'custom_fields.categories': ['Toys > Figures'],
        'custom_fields.sku': 'moth-1',
        'custom_fields.sale_price': 15,
        'custom_fields.woocommerce_id': '47',
      },
      9: {
        name: 'Old Barnacle',
        estimated_value: 9,
        'custom_fields.categories': ['Toys > Figures'],
        'custom_fields.sku': 'bar-1',
        'custom_fields.woocommerce_id': '51',
      },
    },
  },
};

const NAMES = Object.keys(EXPORTS) as (keyof typeof EXPORT_HEADERS)[];

describe.each(NAMES)('%s', (name) => {
  const { file, counts, rows } = EXPORTS[name];
  const path = resolve(ROOT, 'samples/exports', file);

  test('the sample has the columns of the files that the template names as its source', async () => {
    const table = await openTable(path, {});
    await (await peekRows(table, 1)).close();
    expect(table.headers).toEqual(EXPORT_HEADERS[name]);
    expect((await loadTemplate(name)).source).toMatch(/^https:\/\//);
  });

  test('it maps without an issue, to these items', async () => {
    const checked = await checkTemplate(path, name, {}, 40);
    expect(checked.problems).toEqual([]);
    expect(checked.counts).toMatchObject({ ...counts, invalid: 0 });
    const byRow = new Map(checked.rows.map((row) => [row.row, row.after ?? row.skipped]));
    for (const [row, expected] of Object.entries(rows)) expect(byRow.get(Number(row))).toEqual(expected);
  });

  test('what it recognises and ignores are columns of such files', async () => {
    const template = await loadTemplate(name);
    for (const header of [...(template.recognise ?? []), ...(template.ignore ?? [])]) {
      expect(EXPORT_HEADERS[name]).toContain(header);
    }
  });

  test('its files are recognised, whatever stands beside', async () => {
    expect(await recogniseExport(['Shelf', ...EXPORT_HEADERS[name]].reverse())).toBe(name);
    const { shipped, template } = await inferFile(path, {});
    expect(shipped).toBe(name);
    expect(template).toContain(`--template ${name} is made for`);
  });
});

test('other lists are not recognised', async () => {
  expect(await recogniseExport(['Name', 'Brand', 'Year', 'Count', 'Condition'])).toBeUndefined();
});

test('the samples are those that make-export-samples.ts makes', () => {
  const made = mkdtempSync(join(tmpdir(), 'shelflift-exports-'));
  try {
    execFileSync(process.execPath, [resolve(ROOT, 'test/demo/make-export-samples.ts'), made]);
    const files = readdirSync(made);
    expect(files).toHaveLength(NAMES.length);
    for (const file of files) {
      // Beside them there may be results of somebody's trials.
      const shipped = readFileSync(resolve(ROOT, 'samples/exports', file), 'utf8');
      expect(readFileSync(join(made, file), 'utf8')).toBe(shipped);
    }
  } finally {
    rmSync(made, { recursive: true });
  }
});

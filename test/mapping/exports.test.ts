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
  /** Where it is not called as the sample is. */
  template?: string;
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
  'deckbox-2019': {
    template: 'deckbox',
    file: 'deckbox-2019.csv',
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
  deckbox: {
    file: 'deckbox.csv',
    counts: { read: 4, skipped: 0, items: 7 },
    rows: {
      2: {
        condition: 'loose_mint',
        name: 'Ember Sprite',
        series: 'Ashen Vale',
        estimated_value: 1.54,
        'custom_fields.condition': 'Near Mint',
        'custom_fields.card_number': '112',
        'custom_fields.edition_code': 'asv',
        'custom_fields.rarity': 'Common',
        'custom_fields.tcgplayer_id': '35427',
        'custom_fields.scryfall_id': '11111111-2222-4333-8444-000000000112',
        'custom_fields.language': 'English',
      },
      3: {
        condition: 'loose_mint',
        name: 'Rise // Fall Back',
        series: 'Ashen Vale',
        estimated_value: 4.5,
        tags: ['foil', 'binder'],
        status: 'trade',
        'custom_fields.condition': 'Near Mint',
        'custom_fields.card_number': '27',
        'custom_fields.edition_code': 'asv',
        'custom_fields.language': 'English',
        'custom_fields.tradelist_count': 1,
      },
      4: {
        condition: 'loose_fair',
        name: 'Gearwright',
        series: 'The Catalogue',
        'custom_fields.condition': 'Heavily Played',
        'custom_fields.card_number': '49',
        'custom_fields.printing_note': 'DDC',
        'custom_fields.language': 'English',
      },
      5: {
        name: 'Crow’s Bargain',
        series: 'Extras: Ashen Vale',
        estimated_value: 0.2,
        'custom_fields.card_number': '9',
        'custom_fields.language': 'English',
      },
    },
  },
  tcgplayer: {
    file: 'tcgplayer.csv',
    counts: { read: 2, skipped: 0, items: 3 },
    rows: {
      2: {
        condition: 'loose_mint',
        name: 'Ember Sprite (Borderless)',
        series: 'Ashen Vale',
        'custom_fields.condition': 'Near Mint',
        'custom_fields.card_number': '112',
        'custom_fields.set_code': 'ASV',
        'custom_fields.language': 'English',
        'custom_fields.rarity': 'Common',
        'custom_fields.tcgplayer_product_id': '562104',
        'custom_fields.tcgplayer_sku': '8123456',
      },
      3: {
        condition: 'loose_fair',
        name: 'Rise // Fall Back',
        series: 'Ashen Vale',
        tags: ['Foil'],
        'custom_fields.condition': 'Moderately Played',
        'custom_fields.card_number': '27',
        'custom_fields.set_code': 'ASV',
        'custom_fields.language': 'German',
        'custom_fields.rarity': 'Rare',
        'custom_fields.tcgplayer_product_id': '562105',
        'custom_fields.tcgplayer_sku': '8123457',
      },
    },
  },
  'tcgplayer-inventory': {
    file: 'tcgplayer-inventory.csv',
    counts: { read: 3, skipped: 1, items: 4 },
    rows: {
      2: {
        condition: 'loose_mint',
        name: 'Ember Sprite',
        brand: 'Magic',
        series: 'Ashen Vale',
        estimated_value: 2.5,
        status: 'sell',
        'custom_fields.condition': 'Near Mint',
        'custom_fields.asking_price': 2.75,
        'custom_fields.card_number': '112',
        'custom_fields.rarity': 'C',
        'custom_fields.tcgplayer_id': '4780851',
      },
      3: {
        condition: 'loose_good',
        name: 'Rise // Fall Back',
        brand: 'Magic',
        series: 'Ashen Vale',
        tags: ['Foil'],
        estimated_value: 14,
        status: 'sell',
        'custom_fields.condition': 'Lightly Played Foil',
        'custom_fields.asking_price': 15,
        'custom_fields.card_number': '27',
        'custom_fields.rarity': 'R',
        'custom_fields.tcgplayer_id': '4780852',
      },
      4: 'Total Quantity is 0',
    },
  },
  manabox: {
    file: 'manabox.csv',
    counts: { read: 4, skipped: 1, items: 4 },
    rows: {
      2: {
        condition: 'loose_mint',
        name: 'Ember Sprite',
        series: 'Ashen Vale',
        'custom_fields.condition': 'near_mint',
        'custom_fields.set_code': 'ASV',
        'custom_fields.collector_number': '112',
        'custom_fields.rarity': 'rare',
        'custom_fields.language': 'en',
        'custom_fields.misprint': false,
        'custom_fields.altered': false,
        'custom_fields.paid': 12,
        'custom_fields.paid_currency': 'EUR',
        'custom_fields.binder': 'Trade binder',
        'custom_fields.added': '2026-07-11T18:44:33.509Z',
        'custom_fields.scryfall_id': '11111111-2222-4333-8444-000000000112',
        'custom_fields.manabox_id': '84112',
      },
      3: {
        condition: 'loose_good',
        name: 'Rise // Fall Back',
        series: 'Ashen Vale',
        tags: ['etched'],
        'custom_fields.condition': 'light_played',
        'custom_fields.set_code': 'ASV',
        'custom_fields.collector_number': '27',
        'custom_fields.rarity': 'rare',
        'custom_fields.language': 'en',
        'custom_fields.misprint': false,
        'custom_fields.altered': true,
        'custom_fields.paid_currency': 'EUR',
        'custom_fields.binder': 'Trade binder',
        'custom_fields.added': '2026-07-11T18:44:33.509Z',
        'custom_fields.scryfall_id': '11111111-2222-4333-8444-000000000027',
        'custom_fields.manabox_id': '84027',
      },
      4: {
        condition: 'damaged',
        name: 'Gearwright',
        series: 'Ashen Vale',
        'custom_fields.condition': 'poor',
        'custom_fields.set_code': 'ASV',
        'custom_fields.collector_number': '140',
        'custom_fields.rarity': 'rare',
        'custom_fields.language': 'en',
        'custom_fields.misprint': false,
        'custom_fields.altered': false,
        'custom_fields.paid': 0.5,
        'custom_fields.paid_currency': 'EUR',
        'custom_fields.binder': 'Trade binder',
        'custom_fields.added': '2026-07-11T18:44:33.509Z',
        'custom_fields.scryfall_id': '11111111-2222-4333-8444-000000000140',
        'custom_fields.manabox_id': '84140',
      },
      5: 'Binder Type is list',
    },
  },
  'dragon-shield': {
    file: 'dragon-shield.csv',
    counts: { read: 3, skipped: 0, items: 4 },
    rows: {
      2: {
        condition: 'loose_mint',
        name: 'Ember Sprite',
        series: 'Ashen Vale',
        estimated_value: 0.25,
        status: 'trade',
        'custom_fields.condition': 'NearMint',
        'custom_fields.set_code': 'ASV',
        'custom_fields.card_number': '112',
        'custom_fields.language': 'English',
        'custom_fields.trade_quantity': 1,
        'custom_fields.bought_on': '2024-01-01',
        'custom_fields.folder': 'Box 1',
      },
      3: {
        condition: 'loose_good',
        name: 'Rise // Fall Back',
        series: 'Ashen Vale',
        estimated_value: 127.93,
        tags: ['Rainbow Foil'],
        'custom_fields.condition': 'LightPlayed',
        'custom_fields.set_code': 'ASV',
        'custom_fields.card_number': '27',
        'custom_fields.language': 'English',
        'custom_fields.trade_quantity': 1,
        'custom_fields.bought_on': '2024-01-01',
        'custom_fields.folder': 'Box 1',
      },
      4: {
        condition: 'loose_fair',
        name: 'Clue Token',
        series: 'Ashen Vale',
        'custom_fields.condition': 'Played',
        'custom_fields.set_code': 'ASV',
        'custom_fields.card_number': '14',
        'custom_fields.language': 'English',
        'custom_fields.paid': 0.15,
        'custom_fields.bought_on': '2024-01-01',
        'custom_fields.folder': 'Box 1',
      },
    },
  },
  archidekt: {
    file: 'archidekt.csv',
    counts: { read: 3, skipped: 0, items: 4 },
    rows: {
      2: {
        condition: 'loose_mint',
        name: 'Ember Sprite',
        series: 'Ashen Vale',
        'custom_fields.condition': 'NM',
        'custom_fields.set_code': 'asv',
        'custom_fields.collector_number': '112',
        'custom_fields.language': 'EN',
        'custom_fields.paid': 1.5,
        'custom_fields.date_added': '2026-05-15',
        'custom_fields.multiverse_id': '617112',
        'custom_fields.scryfall_id': '11111111-2222-4333-8444-000000000112',
      },
      3: {
        condition: 'loose_fair',
        name: 'Rise // Fall Back',
        series: 'Ashen Vale',
        tags: ['Etched'],
        'custom_fields.condition': 'HP',
        'custom_fields.set_code': 'asv',
        'custom_fields.collector_number': '27',
        'custom_fields.language': 'EN',
        'custom_fields.date_added': '2026-05-15',
        'custom_fields.scryfall_id': '11111111-2222-4333-8444-000000000027',
      },
      4: {
        condition: 'damaged',
        name: 'Gearwright, Unbound',
        series: 'Ashen Vale',
        'custom_fields.condition': 'D',
        'custom_fields.set_code': 'asv',
        'custom_fields.collector_number': '140',
        'custom_fields.language': 'JP',
        'custom_fields.date_added': '2026-05-15',
        'custom_fields.multiverse_id': '617140',
        'custom_fields.scryfall_id': '11111111-2222-4333-8444-000000000140',
      },
    },
  },
  mtggoldfish: {
    file: 'mtggoldfish.csv',
    counts: { read: 2, skipped: 0, items: 5 },
    rows: {
      2: { name: 'Ember Sprite', series: 'Ashen Vale', 'custom_fields.set_id': 'ASV' },
      3: {
        name: 'Rise // Fall Back',
        series: 'Ashen Vale',
        tags: ['foil'],
        'custom_fields.set_id': 'ASV',
        'custom_fields.variation': 'showcase',
        'custom_fields.collector_number': '27',
        'custom_fields.scryfall_id': '11111111-2222-4333-8444-000000000027',
      },
    },
  },
  topdecked: {
    file: 'topdecked.csv',
    counts: { read: 2, skipped: 0, items: 3 },
    rows: {
      2: {
        condition: 'loose_mint',
        name: 'Ember Sprite',
        series: 'Ashen Vale',
        estimated_value: 1.33,
        'custom_fields.condition': 'near mint',
        'custom_fields.set_code': 'asv',
        'custom_fields.collector_number': '112',
        'custom_fields.rarity': 'common',
        'custom_fields.language': 'en',
        'custom_fields.altered': false,
        'custom_fields.paid': 0.5,
        'custom_fields.acquired': 'Fri May 15 2026 16:43:29 GMT+0200 (Central European Summer Time)',
        'custom_fields.scryfall_id': '11111111-2222-4333-8444-000000000112',
      },
      3: {
        condition: 'loose_good',
        name: 'Rise // Fall Back',
        series: 'Ashen Vale',
        tags: ['foil'],
        'custom_fields.condition': 'slightly played',
        'custom_fields.tags': 'binder',
        'custom_fields.set_code': 'asv',
        'custom_fields.collector_number': '27',
        'custom_fields.rarity': 'rare',
        'custom_fields.language': 'zhs',
        'custom_fields.altered': true,
        'custom_fields.scryfall_id': '11111111-2222-4333-8444-000000000027',
      },
    },
  },
  brickset: {
    file: 'brickset.csv',
    counts: { read: 2, skipped: 1, items: 2 },
    rows: {
      2: {
        release_year: 2023,
        name: 'Lighthouse Ferry',
        series: 'City',
        tags: ['Harbour'],
        estimated_value: 61.2,
        brand: 'LEGO',
        'custom_fields.value_new': 86.74,
        'custom_fields.set_number': '40701-1',
        'custom_fields.pieces': 412,
        'custom_fields.minifigs': 3,
        'custom_fields.owned_new': 1,
        'custom_fields.owned_used': 1,
        'custom_fields.ean': '5700000000014',
        'custom_fields.notes': 'one sealed',
      },
      3: 'QtyOwned is 0',
    },
  },
  'brickset-2019': {
    template: 'brickset',
    file: 'brickset-2019.csv',
    counts: { read: 2, skipped: 1, items: 1 },
    rows: {
      2: {
        release_year: 2019,
        name: 'Lighthouse Ferry',
        series: 'City',
        tags: ['Harbour'],
        estimated_value: 73.82,
        brand: 'LEGO',
        'custom_fields.value_new': 86.74,
        'custom_fields.set_number': '40701-1',
        'custom_fields.pieces': 412,
        'custom_fields.minifigs': 3,
        'custom_fields.owned_new': 1,
        'custom_fields.ean': '5700000000014',
      },
      3: 'Qty owned is 0',
    },
  },
  'brickset-2013': {
    template: 'brickset',
    file: 'brickset-2013.csv',
    counts: { read: 2, skipped: 1, items: 1 },
    rows: {
      2: {
        name: 'Front Loader',
        series: 'LEGOLAND',
        tags: ['Construction'],
        brand: 'LEGO',
        'custom_fields.year': 1966,
        'custom_fields.set_number': '102A-1',
        'custom_fields.pieces': 57,
      },
      3: 'QtyOwned is 0',
    },
  },
  rebrickable: {
    file: 'rebrickable.csv',
    counts: { read: 2, skipped: 0, items: 3 },
    rows: {
      2: {
        name: '40701-1',
        brand: 'LEGO',
        'custom_fields.set_number': '40701-1',
        'custom_fields.includes_spares': true,
        'custom_fields.inventory': '1',
      },
      3: {
        name: '40702-1',
        brand: 'LEGO',
        'custom_fields.set_number': '40702-1',
        'custom_fields.includes_spares': false,
        'custom_fields.inventory': '1',
      },
    },
  },
  bricklink: {
    file: 'bricklink.csv',
    counts: { read: 3, skipped: 1, items: 3 },
    rows: {
      2: {
        name: '40701-1',
        estimated_value: 64,
        packaging: 'in_package',
        brand: 'LEGO',
        status: 'sell',
        'custom_fields.condition': 'new',
        'custom_fields.completeness': 'sealed',
        'custom_fields.item_type': 'set',
        'custom_fields.item_number': '40701-1',
        'custom_fields.description': 'box has a dent',
        'custom_fields.bricklink_lot_id': '190000001',
      },
      3: {
        name: '40702-1',
        estimated_value: 22.5,
        brand: 'LEGO',
        status: 'keep',
        'custom_fields.condition': 'used',
        'custom_fields.completeness': 'incomplete',
        'custom_fields.item_type': 'set',
        'custom_fields.item_number': '40702-1',
        'custom_fields.remarks': 'shelf 4',
        'custom_fields.bricklink_lot_id': '190000002',
      },
      4: 'ITEMTYPE is P',
    },
  },
  clz: {
    file: 'clz.csv',
    counts: { read: 2, skipped: 0, items: 2 },
    rows: {
      2: {
        release_year: 1976,
        name: 'Moth Queen, Vol. 2 #69A',
        brand: 'Kestrel Comics',
        series: 'Moth Queen, Vol. 2',
        estimated_value: 4,
        tags: ['Action', 'Adventure'],
        'custom_fields.title': 'The Brass Widow',
        'custom_fields.format': 'Comic',
        'custom_fields.barcode': '0700000000607',
        'custom_fields.paid': 0.12,
        'custom_fields.bought_on': 'Nov 28, 2025',
        'custom_fields.bought_from': 'Corner Books',
        'custom_fields.clz_comic_id': '69687',
      },
      3: {
        name: 'Night Tram #1',
        brand: 'Kestrel Comics',
        series: 'Night Tram',
        estimated_value: 110,
        tags: ['Horror'],
        status: 'sold',
        'custom_fields.year': 1963,
        'custom_fields.grade': '9.4',
        'custom_fields.grading_company': 'CGC',
        'custom_fields.slab_number': '0041237002',
        'custom_fields.sold_for': 120,
        'custom_fields.sold_on': 'Nov 30, 2025',
        'custom_fields.clz_comic_id': '70511',
      },
    },
  },
};

const NAMES = Object.keys(EXPORTS) as (keyof typeof EXPORT_HEADERS)[];

describe.each(NAMES)('%s', (name) => {
  const { file, counts, rows, template: templateName = name } = EXPORTS[name];
  const path = resolve(ROOT, 'samples/exports', file);

  test('the sample has the columns of the files that the template names as its source', async () => {
    const table = await openTable(path, {});
    await (await peekRows(table, 1)).close();
    expect(table.headers).toEqual(EXPORT_HEADERS[name]);
    expect((await loadTemplate(templateName)).source).toMatch(/^https:\/\//);
  });

  test('it maps without an issue, to these items', async () => {
    const checked = await checkTemplate(path, templateName, {}, 40);
    expect(checked.problems).toEqual([]);
    expect(checked.counts).toMatchObject({ ...counts, invalid: 0 });
    const byRow = new Map(checked.rows.map((row) => [row.row, row.after ?? row.skipped]));
    for (const [row, expected] of Object.entries(rows)) expect(byRow.get(Number(row))).toEqual(expected);
  });

  test('what it recognises and ignores are columns of such files', async () => {
    const template = await loadTemplate(templateName);
    for (const header of [...(template.recognise ?? []), ...(template.ignore ?? [])]) {
      expect(EXPORT_HEADERS[name]).toContain(header);
    }
  });

  test('its files are recognised, whatever stands beside', async () => {
    expect(await recogniseExport(['Shelf', ...EXPORT_HEADERS[name]].reverse())).toBe(templateName);
    const { shipped, template } = await inferFile(path, {});
    expect(shipped).toBe(templateName);
    expect(template).toContain(`shipped template ${templateName} is made for`);
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

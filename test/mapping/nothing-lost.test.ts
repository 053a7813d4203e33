/**
 * A round trip of files as collectors and shops write them, each imported by one command: each cell is in the items,
 * or the command names its row or column as left out.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { ImportEvent } from '../../src/import/job/events.ts';
import type { Item } from '../../src/api/schemas.ts';
import { isBlankWord } from '../../src/mapping/word-lists.ts';
import { openImport, type OpenImport } from '../support/open-import.ts';

const SAMPLES = resolve(import.meta.dirname, '../../samples');

/** After files of public repositories, in a few invented rows each. */
const KINDS: Record<string, string> = {
  'figures, in Japanese': `name,brand,series_title,release_date,official_price,is_limited,product_url
アルファ,Robo,第一部,2026-08,7700,1,https://example.com/a
ベータ,Robo,第一部,2026-09,8250,0,https://example.com/b`,
  'model cars, with how they are kept and swapped': `Collection,Year,Part,Model,Number,Condition,Origin,Tags,Quantity,Note
Nightline,2025,1/5,1994 Falcon,88,New on card,Trade,RLC,3,swapped
Nightline,2024,,Gull Wing,,Opened,Flea Market,,,
Nightline,2023,3/5,Gull Wing II,,New in 5-pack,Market,PREMIUM,,`,
  'model cars, with sums beside the table': `Car Year,Brand,Model,Scale,Maker,Year,Code,Price,Stats,,
1963,Falcon,350 GTV,1:43,Nord,2023,350GTV-1,$25.0,Model,Count,Maker
1971,Falcon,Urraco,1:18,Nord,201X/2020,U-1,$30.0,Nord,1,A`,
  'building sets, by their packaging': `\uFEFFName;Year;Theme;Category;Packaging;Pieces
Three-Set Pack;1983;Space;Collection;{Not specified};820
Town Pack;1983;Town;Collection;Box;1000
Rover;1985;Space;Gear;Polybag;12`,
  'building sets, in German, padded': `Datum      ,Vendor ,ID    ,Beschreibung       ,Teile ,URL
26.12.2023 ,Klotz  ,60411 ,Hubschrauber       ,   85 ,https://example.com/60411
24.12.2023 ,Klotz  ,60312 ,Polizeiauto        ,   94 ,https://example.com/60312`,
  'records, with years of pressing': `Artist,Album,Pressing,Format,Speed,Original Year,Pressing Year,Genre,Condition,Notes
The Gulls,High Tide,Standard black vinyl,3xLP,33,1959,1959,Classical,VG+,"cloth box; in two parts"
Ada Dell,Nineteen,Amber,LP,33,2011,2020s,"Folk, World, & Country",NM,`,
  'comics, by series and issue': `Series,Issue,Publisher,Grade,Release Date,Value
Night Owls,12,Harbour,9.4,February 1992,$14.50
Night Owls,13,Harbour,8.0,1992-03-01,$8`,
  'coins, with spans of years': `country,name,date,grossWeight,purity,url
Borduria,Crown,1916-1945,2.5,900,https://example.com/51
Borduria,Half crown,1946-1964,1.25,,https://example.com/52
Borduria,Florin,Various,,,`,
  'coins, in Russian': `Название,Номер,Доступное количество,Номинал,Металл,Цена,Имя файла
Маяк,5216-0060,10,50 руб.,"Золото / 7,78",25000,5216.png
Парусник,5111-0178,15,3 руб.,"Серебро / 31,10",10000,5111.png`,
  'a library, in French': `\uFEFFType;Cote;Titre;Auteur;Date;Édition;Tome;Thème général;Résumé
Livre;FL 394;La Fête au village;Collectif;1990;1;;Sciences;"Un catalogue :
- la fête, le 14 juillet"
Livre;FL 395;Le Phare;B. Dumont;1965;2;3;Romans;`,
  'albums, in French, with dates': `Auteurs;Titre;Série;Date de publication;Editeur;Pages;ISBN
Roux  Anne - Petit  Luc;Le Phare;Le Phare (tome 2);07/11/2012;NORD;56;9780000000011
Roux  Anne;La Digue;Le Phare (tome 1);29/09/2010;NORD;88;9780000000028`,
  'books of a shop, in Spanish': `Tipo,Genero,Titulo,caratula,sinopsis,precio,recomendado
Libro,Terror,El faro,https://example.com/f.jpg,"Un faro, solo",65000,0
Libro,Historia,La barca,https://example.com/b.jpg,¿Quién rema?,44000,1`,
  'cards of a game, with prices of each kind': `id,name,number,rarity,artist,set_id,market_price_normal,market_price_holofoil
b1-1,Emberfox,1,Rare Holo,A. Inker,b1,,68.55
b1-2,Tidewhale,2,Common,B. Inker,b1,2.10,`,
  'cards, with what each cost': `\uFEFFSet Code,Number,Finish,Count,Location,Order/Add Date,Price Per Card,Order Note,Name
EOC,82,N,1,3,46195,3.05,Pool,"Owls, Arisen"
EOC,15,F,2,3,46195,2.2,Pool,Horizon`,
  'watches, below a title': `HISTORIC DATA TABLE ($USD unless otherwise noted),,,,
updated 02JAN25 | corrections are welcome,,,,
,,,,
REF. NO.,FAMILY / MODEL (SORTED),FIRST YEAR MADE,CASE,NOTES
101.001,Tide I,1994,white gold,
101.002,Tide II,1995,,"closed, solid back"`,
  'bottles of a shop, counted by a program': `,Name,Price
0,Northern Isle 12,71.00
1,Old Harbour 18,54.00
2,Mill Creek 1993,"1,395.00"
3,Mill Creek 12,46.00`,
  'books, in Italian, with parts of dates': `ISBN;Titolo;Autore;Editore;Data di pubblicazione
9790000000001;Il faro;Ada Neri;Onda;2023-xx-xx
9790000000002;La barca;Ugo Riva;Onda;2008-12-22`,
  'books, in Chinese': `中文名称,英文名称,作者,发行时间
灯塔,The Lighthouse,王小明,1988年
小船,The Boat,李华,2007年`,
  'comics, with the values of a guide': `Guide Value,Series,Issue,Publisher,Cover Price,Release Date
6.00,Night Owls,2,Harbour,1.95,May 1993
3.00,Night Owls,2A,Harbour,0.75,"Oct 01, 1984"`,
  'a shop, with its list prices': `ID,Name,Published,Regular price,Stock,Categories
11,Falcon,1,12.50,3,Toys
12,Rover,0,4,1,"Toys, Old"`,
};

test.each(Object.entries(KINDS))('nothing is lost from %s', async (kind, text) => {
  await using at = await openImport();
  const file = await at.file(`${kind.replaceAll(/\W+/g, '-')}.csv`, text);
  expect(await lostOf(at, file)).toEqual([]);
});

test.each(readdirSync(join(SAMPLES, 'exports')))('nothing is lost from samples/exports/%s', async (name) => {
  // Its prices are in euros.
  await using at = await openImport({ currency: name === 'topdecked.csv' ? 'eur' : 'usd' });
  expect(await lostOf(at, join(SAMPLES, 'exports', name))).toEqual([]);
});

/** Each cell of the file that is neither in an item nor named as left out. */
async function lostOf(at: OpenImport, file: string): Promise<string[]> {
  const opened: Extract<ImportEvent, { type: 'opened' }>[] = [];
  const { summary } = await at.import(
    { file, outDir: at.folder, run: { yes: true } },
    { onEvent: (event) => void (event.type === 'opened' && opened.push(event)) },
  );
  expect(summary.rows).toMatchObject({ invalid: 0 });
  const kept = textsOf(at.items());
  const columns = opened[0]?.columns ?? [];
  const named = new Set(
    columns.flatMap(({ header, target }) =>
      LEFT_OUT.has(target) ? [header.replace(/^\(column .*\)$/, '')] : [],
    ),
  );
  const results = await at.read(summary.files.results);
  const delimiter = /[,;\t]/.exec(results)?.[0] ?? ',';
  const rows: Record<string, string>[] = parse(results, { columns: true, delimiter, bom: true });
  expect(rows.length).toBeGreaterThan(0);
  return rows
    .filter(({ _state }) => _state !== 'skipped')
    .flatMap(({ _row, ...cells }) =>
      Object.entries(cells)
        .filter(
          ([header, cell]) => !header.startsWith('_') && !named.has(header) && !isKept(header, cell, kept),
        )
        .map(([header, cell]) => `row ${_row}, ${header}: ${cell}`),
    );
}

/** Columns that the command names as not used, and the pieces of a row, which it counts. */
const LEFT_OUT: ReadonlySet<string | undefined> = new Set([undefined, 'quantity']);

/** Cells that say something otherwise in the item. */
const SAID: [header: RegExp, cell: RegExp, reading: (cell: string) => string][] = [
  // Programs write 0 for a value that they do not know.
  [/price|value|paid|market|trend|released|year|id\b|owned|count/i, /^\D?0(?:\.0+)?$/, () => ''],
  [/pennies/, /^\d+$/, (cell) => String(Number(cell) / 100)],
  [/时间/, /^\d{4}年$/, (cell) => cell.slice(0, 4)],
  // Kept from becoming numbers in spreadsheets.
  [/isbn/i, /^=".*"$/, (cell) => cell.slice(2, -1)],
  // Shopify's words for no option, and for what is for sale.
  [/^Option\d Value$/, /^Default Title$/, () => ''],
  [/^Status$/, /^active$/, () => 'sell'],
  [/^Status$/, /^draft$/, () => 'keep'],
  // BrickLink's codes, spelled out.
  [/^CONDITION$/, /^[NU]$/, (cell) => (cell === 'N' ? 'new' : 'used')],
  [/^ITEMTYPE$/, /^S$/, () => 'set'],
  [/^SUBCONDITION$/, /^[IS]$/, (cell) => (cell === 'S' ? 'sealed' : 'incomplete')],
];

/** As results are protected against formulas. */
const ESCAPED = /(?<=^|\n)'(?=[-=+@])/g;

/** As it is, as a number, as the tags of a list, or as a part of a text that several columns make. */
function isKept(header: string, raw: string, kept: ReadonlySet<string>): boolean {
  const cell = SAID.reduce(
    (text, [of, like, reading]) => (of.test(header) && like.test(text) ? reading(text) : text),
    raw.replaceAll(ESCAPED, ''),
  );
  if (isBlankWord(cell.trim())) return true;
  const has = (text: string) => kept.has(plain(text)) || kept.has(String(amountOf(text)));
  if (
    cell.trim() === '' ||
    has(cell) ||
    cell.split(/[,;|()[\]#]/).every((part) => part.trim() === '' || has(part))
  )
    return true;
  const part = new RegExp(
    `(?:^|[^\\p{L}\\d])${plain(cell).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?:$|[^\\p{L}\\d])`,
    'u',
  );
  return kept.values().some((text) => part.test(text));
}

function textsOf(items: readonly Item[]): Set<string> {
  const values = items.flatMap(({ tags = [], custom_fields = {}, ...fields }) => [
    ...Object.entries(fields).flatMap(([key, value]) => (/id$|_at$|^object$/.test(key) ? [] : [value])),
    ...tags,
    ...Object.values(custom_fields).flat(),
  ]);
  const answers = (value: unknown) => (value === true ? ['true', 'yes', '1'] : ['false', 'no', '0']);
  return new Set(
    values.flatMap((value) => (typeof value === 'boolean' ? answers(value) : [plain(String(value))])),
  );
}

function plain(text: string): string {
  return text.normalize().replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

function amountOf(text: string): number {
  return Number(text.replaceAll(/[$€,\s]/g, '') || Number.NaN);
}

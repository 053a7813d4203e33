/**
 * Makes samples/exports: files as other programs export them, with their quotes, line ends and empty columns.
 * Run it after a change here: `node test/demo/make-export-samples.ts [FOLDER]`. All things in them are invented.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXPORT_HEADERS, type ExportName } from './export-headers.ts';

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../samples/exports/', import.meta.url));

type Row = Record<string, string | number>;

interface Style {
  quote?: 'always' | 'when needed';
  end?: '\n' | '\r\n';
  delimiter?: ',' | '\t';
  bom?: boolean;
  ending?: 'csv' | 'tsv';
  /** A line before the headers. */
  before?: string;
}

/** Writes a file; headers that a row does not name stay empty, and one that the file lacks is a mistake here. */
async function sample(name: ExportName, rows: Row[], style: Style = {}): Promise<void> {
  const { quote = 'when needed', end = '\n', delimiter = ',', bom = false, ending = 'csv', before } = style;
  const headers = EXPORT_HEADERS[name];
  const cell = (text: string) =>
    quote !== 'when needed' || (delimiter === ',' && /[",\r\n]/.test(text))
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const lines = rows.map((row) => {
    for (const header of Object.keys(row)) {
      if (!headers.includes(header)) throw new Error(`${name} has no column ${header}`);
    }
    return headers.map((header) => cell(String(row[header] ?? ''))).join(delimiter);
  });
  const first = headers.map((header) =>
    quote === 'when needed' && header.includes(' ') && name === 'woocommerce' ? `"${header}"` : header,
  );
  const text = [...(before === undefined ? [] : [before]), first.join(delimiter), ...lines, ''].join(end);
  await writeFile(join(FOLDER, `${name}.${ending}`), (bom ? '\ufeff' : '') + text);
}

function game(objectname: string, yearpublished: number, publisher: string, own: Row = {}): Row {
  const id = 100_000 + objectname.length * 977 + yearpublished;
  return {
    objectname,
    objectid: id,
    rating: 0,
    numplays: 0,
    weight: 0,
    own: 1,
    fortrade: 0,
    want: 0,
    wanttobuy: 0,
    wanttoplay: 0,
    prevowned: 0,
    preordered: 0,
    wishlist: 0,
    wishlistpriority: 3,
    collid: id * 7,
    baverage: '5.55147',
    average: '6.37075',
    avgweight: '1.6875',
    rank: 12489,
    numowned: 298,
    objecttype: 'thing',
    originalname: objectname,
    minplayers: 2,
    maxplayers: 4,
    playingtime: 60,
    maxplaytime: 60,
    minplaytime: 30,
    yearpublished,
    bggrecagerange: '10+',
    bgglanguagedependence: 'No necessary in-game text',
    itemtype: 'standalone',
    version_publishers: publisher,
    version_languages: publisher === '' ? '' : 'English',
    version_yearpublished: publisher === '' ? '' : yearpublished,
    version_nickname: publisher === '' ? '' : 'English edition',
    ...own,
  };
}

const bought = (price: string, currency: string, on: string, from: string): Row => ({
  pricepaid: price,
  pp_currency: currency,
  acquisitiondate: on,
  acquiredfrom: from,
});

await mkdir(FOLDER, { recursive: true });

await sample(
  'boardgamegeek',
  [
    game('Lanterns of Marl', 2016, 'Fen & Foxglove', {
      rating: 8.5,
      numplays: 12,
      comment: 'Always a hit,\nalso with three.',
      ...bought('24', 'EUR', '2017-01-22', 'Flea market, Graz'),
    }),
    game('Lanterns of Marl: The Reeds', 2018, 'Fen & Foxglove', { itemtype: 'expansion' }),
    game('Tin Harbour', 2011, '', { rating: 7, numplays: 4, quantity: 1 }),
    game('Tin Harbour – The "Gull" Promo', 2012, '', { itemtype: 'expansion' }),
    game('Salt Road Express', 1999, 'Krummholz Spiele', {
      fortrade: 1,
      conditiontext: 'In shrink',
      haspartslist: '',
    }),
    game('Nine Bells', 1935, '', { rating: 6, comment: "Grandfather's copy", invlocation: 'Attic' }),
    game('Senate of Crows', 2023, 'Otter Row Games', {
      currvalue: '85',
      cv_currency: 'USD',
      quantity: 2,
      invlocation: 'Shelf 4',
      invdate: '2024-02-11',
      ...bought('69.99', 'USD', '2023-11-02', 'Crowdfunding'),
    }),
    game('Café Kontrabass', 2008, 'Krummholz Spiele', {
      version_languages: 'German; French',
      version_nickname: 'German/French edition',
      version_yearpublished: 0,
    }),
    game('Moss & Mortar', 2021, 'Otter Row Games', {
      fortrade: 1,
      conditiontext: 'Played twice, one corner dented',
      wantpartslist: 'one grey meeple',
    }),
    game('Urn and Arrow', -2200, '', {}),
    game('The Cartwright Affair', 2014, '', {
      own: 0,
      wishlist: 1,
      wishlistpriority: 2,
      wishlistcomment: 'second edition only',
    }),
    game('Glasswing', 2024, '', { own: 0, wishlist: 1, wishlistpriority: 1 }),
    game('Borrowed Crowns', 2003, '', {
      own: 0,
      prevowned: 1,
      rating: 5,
      comment: 'Sold at the spring fair',
    }),
    game('Ferry to Nowhere', 2019, '', { own: 0, rating: 9, numplays: 1 }),
    game('Kettle Black', 2025, '', { own: 0, preordered: 1 }),
    game('Ábel és a kút', 2012, 'Tölgy Játék', { version_languages: 'Hungarian', barcode: '5990000123457' }),
  ],
  { quote: 'always' },
);

function record(
  catalog: string,
  artist: string,
  title: string,
  label: string,
  format: string,
  released: number,
  id: number,
  media = '',
  sleeve = '',
  notes = '',
): Row {
  return {
    'Catalog#': catalog,
    Artist: artist,
    Title: title,
    Label: label,
    Format: format,
    Released: released,
    release_id: id,
    CollectionFolder: 'Uncategorized',
    'Date Added': '2022-10-25 04:18:01',
    'Collection Media Condition': media,
    'Collection Sleeve Condition': sleeve,
    'Collection Notes': notes,
  };
}

const NM = 'Near Mint (NM or M-)';
const VGP = 'Very Good Plus (VG+)';
await sample('discogs', [
  record('OWL 12', 'The Paper Owls', 'Night Shift', 'Owl Row Records', '7", Single, Pap', 1980, 9100001),
  {
    ...record(
      '- owl - 4, owl4',
      'The Paper Owls',
      'Both Sides / Its Lights',
      'Owl Row Records, Human Kind (2)',
      '12", EP',
      1981,
      9100002,
      VGP,
      VGP,
    ),
    Rating: 4,
  },
  record(
    'KLP 300',
    'Mara Quist (2)',
    'Harbour Songs',
    'Kelp',
    'LP, Album',
    1974,
    9100003,
    NM,
    VGP,
    'bought in Leeds',
  ),
  record(
    'SBPG 1, 1',
    'Field & Furrow',
    'Sounds of Barley',
    'Grain, Grain',
    'LP, Album, Mono',
    1966,
    9100004,
    'Very Good (VG)',
    'Good (G)',
  ),
  record(
    'GR 2',
    'Field & Furrow',
    'Barley Again',
    'Grain',
    'LP, Album, RE',
    0,
    9100005,
    'Good Plus (G+)',
    'Generic',
  ),
  record(
    'BLT-9',
    'Bolt From Blue',
    'Stereo Weather',
    'Thunderhead',
    '2xLP, Album, Gat',
    2014,
    9100006,
    'Mint (M)',
    'Mint (M)',
    'sealed',
  ),
  record(
    'BLT-10',
    'Bolt From Blue',
    'Dry Spell',
    'Thunderhead',
    '2xLP, Album, Ltd, Pur',
    2019,
    9100007,
    NM,
    NM,
  ),
  record(
    '',
    'Unknown Artist',
    'Untitled',
    'Not On Label',
    '12", W/Lbl',
    0,
    9100008,
    'Fair (F)',
    'No Cover',
    'skips on B1,\nsecond half',
  ),
  record(
    '120·07·057',
    'Sister Lamplight',
    'Stop That Tram',
    'Bell & Anker',
    '12", Maxi',
    1983,
    9100009,
    VGP,
    'Generic',
  ),
  record('CD 55', 'Ensemble Rönne', 'Wintergärten', 'Tiefgang', 'CD, Comp', 2008, 9100010, NM, NM),
  record(
    'MC 8',
    'The Garage Choir',
    'Live at the Depot',
    'Depot',
    'Cass, Album',
    1991,
    9100011,
    'Good (G)',
    'Not Graded',
  ),
  record(
    '78-101',
    'Lou Tansy',
    'Moonlit Lane',
    'Regent',
    'Shellac, 10"',
    1938,
    9100012,
    'Poor (P)',
    'No Cover',
  ),
  {
    ...record('DEP 3', 'Various', 'Depot Sampler Vol. 3', 'Depot', 'LP, Comp', 1999, 9100013),
    Rating: 5,
    CollectionFolder: 'Samplers',
  },
  record(
    '0720642',
    'Velvet Ant',
    'No Matter',
    'Sub Rosa (7)',
    'LP, Album, RE, RP, 180',
    2017,
    9100014,
    VGP,
    NM,
  ),
  record(
    'VA 2',
    'Velvet Ant',
    'No Matter',
    'Sub Rosa (7)',
    'LP, Album',
    1991,
    9100015,
    'Very Good (VG)',
    'Very Good (VG)',
  ),
]);

function book(
  id: number,
  title: string,
  author: string,
  publisher: string,
  year: number | '',
  first: number,
  shelf: string,
  more: Row = {},
): Row {
  const [given = '', ...family] = author.split(' ');
  return {
    'Book Id': id,
    Title: title,
    Author: author,
    'Author l-f': `${family.join(' ')}, ${given}`,
    ISBN: '=""',
    ISBN13: '=""',
    'My Rating': 0,
    'Average Rating': '4.02',
    Publisher: publisher,
    Binding: 'Paperback',
    'Number of Pages': 312,
    'Year Published': year,
    'Original Publication Year': first,
    'Date Added': '2023/01/02',
    'Exclusive Shelf': shelf,
    'Read Count': shelf === 'read' ? 1 : 0,
    'Owned Copies': 0,
    ...more,
  };
}

const isbn = (ten: string, thirteen: string): Row => ({ ISBN: `="${ten}"`, ISBN13: `="${thirteen}"` });
await sample('goodreads', [
  book(4200001, 'The Salt Clerk (The Ledger Cycle, #1)', 'Ines Varga', 'Harrow & Finch', 2007, 2007, 'read', {
    ...isbn('000000001X', '9780000000019'),
    'My Rating': 5,
    Bookshelves: 'fantasy, favorites',
    'Bookshelves with positions': 'fantasy (#1), favorites (#3)',
    'My Review': 'Gripping, "brutal" and fast.<br/><br/>Would read again &amp; again.',
    'Owned Copies': 1,
  }),
  book(
    4200002,
    'The Ink Tithe (The Ledger Cycle, #2)',
    'Ines Varga',
    'Harrow & Finch',
    2009,
    2009,
    'read',
    isbn('0000000028', '9780000000026'),
  ),
  book(
    4200003,
    'The Last Column (The Ledger Cycle #2.5)',
    'Ines Varga',
    'Harrow & Finch',
    2010,
    2010,
    'to-read',
    { Bookshelves: 'to-read', 'Bookshelves with positions': 'to-read (#4)' },
  ),
  book(4200004, 'Kitchens of the Coast', 'Amélie Dornier', 'Table Press', 2016, 2016, 'read', {
    ...isbn('0000000044', '9780000000040'),
    'Additional Authors': 'Anne Casson',
    Binding: 'Hardcover',
    'My Rating': 2,
    'Private Notes': 'lent to Jo, \nask back',
  }),
  book(4200005, 'A Field of Glass', 'T.R. Holloway', 'Penhallow', 2001, 1951, 'to-read', {
    'Owned Copies': 1,
  }),
  book(4200006, 'The Grey Verandah', 'F. Aldous Pike', 'Scrivener', 1954, 1925, 'read', {
    Binding: 'Hardcover',
    'Owned Copies': 2,
  }),
  book(4200007, 'Subterrane', 'Oona Reed', '', 2020, 2020, 'currently-reading'),
  book(4200008, 'Owl Weather', 'Stefan Mey', 'Tiefgang', '', 1988, 'read', {
    'My Rating': 4,
    'Date Read': '2020/10/25',
  }),
  book(4200009, 'Dust (Silent Rooms, #3)', 'Hugh Howarth', 'Broadside', 2013, 2013, 'to-read'),
  book(4200010, 'Poems (1890)', 'Ada Thorne', 'Kestrel Classics', 1969, 1890, 'read', { 'Owned Copies': 1 }),
  book(4200011, 'Rivers, Roads & Rails', 'Milan Kovač', 'Mapmakers', 1998, 1998, 'read', {
    Bookshelves: 'non-fiction, maps',
  }),
  book(4200012, 'The Electric Parish', 'Nora Bell', 'Harrow & Finch', 2022, 2022, 'read', {
    Binding: 'Kindle Edition',
    'Number of Pages': '',
  }),
  book(4200013, 'Hrad', 'Josef Klima', 'Odeon', 1967, 1926, 'read', { 'Owned Copies': 1 }),
  book(4200014, 'The Hatmaker’s Apprentice', 'Lily Osei', 'Penhallow', 2019, 2019, 'to-read'),
  book(4200015, 'Under Cold Stars', 'Ines Varga', 'Harrow & Finch', 2015, 2015, 'read', {
    'Recommended By': 'Sam',
  }),
]);

function volume(
  id: number,
  title: string,
  author: string,
  publication: string,
  date: string,
  more: Row = {},
): Row {
  return {
    'Book Id': id,
    Title: title,
    'Sort Character': 1,
    'Primary Author': author,
    Publication: publication,
    Date: date,
    Summary: `${title} by ${author} (${date})`,
    Media: 'Paperback',
    'Page Count': '312 ',
    Collections: 'Your library',
    Languages: 'English',
    Copies: 1,
    'Entry Date': '[2006-08-09]',
    'Work id': id + 7,
    ...more,
  };
}

await sample(
  'librarything',
  [
    volume(5400001, 'The Salt Clerk', 'Varga, Ines', 'Harrow & Finch (2007), Paperback', '2007', {
      Rating: '4.5',
      Tags: 'fantasy, ledgers, guilds',
      ISBN: '[000000001X]',
      ISBNs: '000000001X, 9780000000019',
      Acquired: '[2008-04-16]',
      'From Where': 'Corner Books',
    }),
    volume(
      5400002,
      'Jardins d’hiver: récit, avec détours',
      'Roussel, Béatrice',
      'Gallerne (1979), Poche',
      '1979',
      { Languages: 'French', Media: 'Broché', ISBN: '[0000000214]', Tags: 'roman, expérimental' },
    ),
    volume(5400003, 'The Grey Verandah', 'Pike, F. Aldous', 'Scrivener (1954), Edition: First', '1954', {
      Copies: 2,
      Media: 'Hardcover',
    }),
    volume(5400004, 'Poems', 'Thorne, Ada', 'Kestrel Classics (1969)', 'c1969', {
      'Private Comment': 'foxed, "as is"',
    }),
    volume(5400005, 'Owl Weather', 'Mey, Stefan', 'Tiefgang (1988), Gebundene Ausgabe', '1988', {
      Languages: 'German',
    }),
    volume(
      5400006,
      'Rivers, Roads & Rails',
      'Kovač, Milan',
      'Mapmakers (1998), Hardcover, 240 pages',
      '1998',
      { Collections: 'Your library, Favorites', Barcode: '0001234' },
    ),
    volume(5400007, 'Under Cold Stars', 'Varga, Ines', '', '', { Collections: 'Wishlist', 'Page Count': '' }),
    volume(5400008, 'Dust', 'Howarth, Hugh', 'Broadside (2013)', '2013', {
      Collections: 'Wishlist, To read',
    }),
    volume(5400009, 'Kitchens of the Coast', 'Dornier, Amélie', 'Table Press (2016), Hardcover', '2016', {
      Collections: 'Your library, To read',
      'Secondary Author': 'Casson, Anne',
      'Secondary Author Roles': 'Photographer',
    }),
    volume(5400010, 'Almanac for 1871', '', 'Old Mill Press (1870)', '1870', { 'Dewey Decimal': '030' }),
    volume(5400011, 'Hrad', 'Klima, Josef', 'Odeon (1967)', '1967', {
      Languages: 'Czech',
      'Original Languages': 'Czech',
    }),
    volume(5400012, 'A Field of Glass', 'Holloway, T.R.', 'Penhallow (2001), Mass Market Paperback', '2001'),
    volume(5400013, 'The Electric Parish', 'Bell, Nora', 'Harrow & Finch (2022)', '2022', {
      Collections: 'Read but unowned',
    }),
    volume(5400014, 'Subterrane', 'Reed, Oona', '', '2020', { Rating: '3' }),
    volume(5400015, 'The Hatmaker’s Apprentice', 'Osei, Lily', 'Penhallow (2019), Paperback', '2019', {
      'Lending Patron': 'Jo',
      'Lending Status': 'Checked out',
    }),
  ],
  { delimiter: '\t', ending: 'tsv' },
);

function priced(
  id: number,
  name: string,
  console: string,
  pennies: number | '',
  include: string,
  more: Row = {},
): Row {
  return {
    id,
    'product-name': name,
    'console-name': console,
    'price-in-pennies': pennies,
    'include-string': include,
    'condition-string': 'Normal wear',
    'cost-basis-in-pennies': 0,
    quantity: 1,
    'date-entered': '2024-01-02',
    ...more,
  };
}

const COMPLETE = 'Item, Box, and Manual';
await sample(
  'pricecharting',
  [
    priced(6100001, 'Dusk Courier', 'Nintendo Switch', 2549, 'New Item, Box, and Manual'),
    priced(6100002, 'Turbo Snails 2', 'Playstation 3', 799, COMPLETE, {
      'cost-basis-in-pennies': 500,
      quantity: 2,
      'date-purchased': '12/25/2023',
    }),
    priced(6100003, 'Starling Six', 'NES', 1200, 'Item Only'),
    priced(6100004, 'Starling Six', 'NES', 5433, COMPLETE, { notes: 'manual, "Dutch" print' }),
    priced(6100005, 'Garden of Gears', 'Super Nintendo', 3310, 'Item and Box'),
    priced(6100006, 'Garden of Gears', 'Super Nintendo', 900, 'Box Only'),
    priced(6100007, 'Mothlight #219', 'Pokemon Ashen Valley', 761, 'Ungraded', { folder: 'Binder A' }),
    priced(6100008, 'Mothlight [Reverse] #219', 'Pokemon Ashen Valley', 20, 'Ungraded', { quantity: 4 }),
    priced(6100009, 'Old Lantern', 'Pokemon Ashen Valley', 183600, 'CGC 10', {
      'grading-company': 'CGC',
      'grading-cert-id': '0041237001',
    }),
    priced(6100010, 'Brass Widow #1', 'Comic Books Brass Widow', 4000, 'Graded 8'),
    priced(6100011, 'Harbour Kart', 'GameCube', '', 'Item and Manual'),
    priced(6100012, 'Königswald', 'PAL Playstation 2', 1505, COMPLETE, {
      'condition-string': 'Scratched disc',
    }),
    priced(6100013, 'Night Tram', 'Xbox 360', 105, 'Item Only', { sku: '007-B' }),
    priced(6100016, 'Traded Away', 'GameBoy', 800, 'Item Only', { quantity: 0 }),
    priced(6100014, 'Pixel Orchard', 'GameBoy', 2, 'Manual Only'),
    priced(6100015, 'Lighthouse Keeper', 'PC Games', 999, 'New Item, Box, and Manual', {
      'cost-basis-in-pennies': 3999,
      'date-purchased': '2023-11-30',
      folder: 'Sealed',
    }),
  ],
  { bom: true, end: '\r\n' },
);

function card(
  count: number,
  trade: number,
  name: string,
  edition: string,
  number: string,
  condition: string,
  more: Row = {},
): Row {
  return {
    Count: count,
    'Tradelist Count': trade,
    Name: name,
    Edition: edition,
    'Card Number': number,
    Condition: condition,
    Language: 'English',
    ...more,
  };
}

await sample('deckbox', [
  card(3, 0, 'Ember Sprite', 'Ashen Vale', '112', 'Near Mint', {
    'Edition Code': 'asv',
    'Printing Id': 17427,
    'My Price': '$0.00',
    Cost: '{R}',
    Rarity: 'Common',
    Price: '$1.54',
    'TcgPlayer ID': 35427,
    'Scryfall ID': '11111111-2222-4333-8444-000000000112',
  }),
  card(1, 1, 'Rise // Fall Back', 'Ashen Vale', '27', 'Near Mint', {
    'Edition Code': 'asv',
    Foil: 'foil',
    Tags: 'binder',
    'My Price': '$4.50',
    Price: '$5.48',
  }),
  card(2, 0, 'Gearwright', 'The Catalogue', '49', 'Heavily Played', {
    'Printing Note': 'DDC',
    'My Price': '$0.00',
    Price: '$0.00',
  }),
  card(1, 0, 'Crow’s Bargain', 'Extras: Ashen Vale', '9', '', { 'My Price': '$0.00', Price: '$0.20' }),
]);

await sample('deckbox-2019', [
  card(3, 0, 'Ember Sprite', 'Ashen Vale', '112', 'Near Mint'),
  card(1, 1, 'Rise // Fall Back', 'Ashen Vale', '27', 'Near Mint', { Foil: 'foil', 'My Price': '$4.50' }),
  card(4, 2, 'Tidewatcher', 'Harbour of Bells', '8', 'Good (Lightly Played)'),
  card(1, 0, "Crow's Bargain", 'Game Day Cards', '7', 'Mint', {
    Foil: 'foil',
    Promo: 'promo',
    Textless: 'textless',
  }),
  card(1, 0, 'Lantern, Unlit', 'Harbour of Bells', '99', 'Played', { Language: 'German' }),
  card(2, 0, 'Gearwright', 'Ashen Vale', '140', 'Heavily Played'),
  card(1, 0, 'Gearwright', 'Ashen Vale', '140', 'Poor', { 'Altered Art': 'altered' }),
  card(1, 1, 'Mother of Moths', 'Moonrise', '201', 'Near Mint', { Signed: 'signed', 'My Price': '$35.00' }),
  card(0, 0, 'Sold Long Ago', 'Moonrise', '3', 'Near Mint'),
  card(1, 0, 'Vierzig Räuber', 'Moonrise', '77', 'Near Mint', { Language: 'German' }),
  card(1, 0, 'Borderline', 'Moonrise', '12', '', { Misprint: 'misprint' }),
  card(1, 0, 'Salt Golem', 'Harbour of Bells', '210', 'Near Mint', { 'Artist Proof': 'proof' }),
  card(20, 0, 'Plain of Reeds', 'Ashen Vale', '250', 'Near Mint'),
  card(1, 0, 'Æther Clerk', 'Ashen Vale', '44', 'Near Mint', { Language: 'Japanese' }),
  card(2, 1, 'Kettle Imp', 'Moonrise', '160', 'Good (Lightly Played)', { Foil: 'foil' }),
]);

function copy(
  count: number,
  trade: number,
  name: string,
  edition: string,
  number: string,
  condition: string,
  more: Row = {},
): Row {
  return {
    Count: count,
    'Tradelist Count': trade,
    Name: name,
    Edition: edition,
    Condition: condition,
    Language: 'English',
    'Last Modified': '2024-03-02 17:21:09.283000',
    'Collector Number': number,
    Alter: 'False',
    Proxy: 'False',
    ...more,
  };
}

await sample(
  'moxfield',
  [
    copy(3, 0, 'Ember Sprite', 'asv', '112', 'Near Mint'),
    copy(1, 1, 'Rise // Fall Back', 'asv', '27', 'Near Mint', { Foil: 'foil', 'Purchase Price': '4.50' }),
    copy(4, 2, 'Tidewatcher', 'hob', '8', 'Good (Lightly Played)', { Tags: 'Blue, Deck: Tides' }),
    copy(1, 0, "Crow's Bargain", 'pgd', '7★', 'Mint', { Foil: 'etched' }),
    copy(1, 0, 'Lantern, Unlit', 'hob', '99', 'Played', { Language: 'German' }),
    copy(2, 0, 'Gearwright', 'asv', '140', 'Heavily Played'),
    copy(1, 0, 'Gearwright', 'asv', '140', 'Damaged', { Alter: 'True' }),
    copy(1, 1, 'Mother of Moths', 'mnr', '201', 'Near Mint', { 'Purchase Price': '35' }),
    copy(0, 0, 'Sold Long Ago', 'mnr', '3', 'Near Mint'),
    copy(1, 0, 'Vierzig Räuber', 'mnr', '077', 'Near Mint', { Language: 'German' }),
    copy(1, 0, 'Black Bloom', 'asa', '232', 'Near Mint', { Proxy: 'True' }),
    copy(1, 0, 'Salt Golem', 'hob', '210', 'Near Mint', { Foil: 'foil', Tags: 'Binder 2' }),
    copy(12, 0, 'Plain of Reeds', 'asv', '250', 'Near Mint'),
    copy(1, 0, 'Æther Clerk', 'asv', '44', 'Near Mint', { Language: 'Japanese' }),
    copy(2, 1, 'Kettle Imp', 'mnr', '160', 'Good (Lightly Played)'),
  ],
  { quote: 'always', end: '\r\n' },
);

function product(
  handle: string,
  title: string,
  vendor: string,
  type: string,
  tags: string,
  sku: string,
  stock: number,
  price: string,
  more: Row = {},
): Row {
  return {
    Handle: handle,
    Title: title,
    'Body (HTML)': `<p>${title}, as seen in the shop.</p>\n<ul><li>vintage</li></ul>`,
    Vendor: vendor,
    Type: type,
    Tags: tags,
    Published: 'true',
    'Option1 Name': 'Title',
    'Option1 Value': 'Default Title',
    'Variant SKU': sku,
    'Variant Grams': '145.0',
    'Variant Inventory Tracker': 'shopify',
    'Variant Inventory Qty': stock,
    'Variant Inventory Policy': 'deny',
    'Variant Fulfillment Service': 'manual',
    'Variant Price': price,
    'Variant Requires Shipping': 'true',
    'Variant Taxable': 'true',
    'Image Src': `https://cdn.example/${handle}.jpg`,
    'Image Position': 1,
    'Gift Card': 'false',
    'Variant Weight Unit': 'g',
    Status: 'active',
    ...more,
  };
}

const variant = (handle: string, option: string, sku: string, stock: number, price: string): Row => ({
  Handle: handle,
  'Option1 Value': option,
  'Variant SKU': sku,
  'Variant Inventory Qty': stock,
  'Variant Price': price,
  'Variant Weight Unit': 'g',
});
const picture = (handle: string, position: number): Row => ({
  Handle: handle,
  'Image Src': `https://cdn.example/${handle}-${position}.jpg`,
  'Image Position': position,
});
await sample('shopify', [
  product(
    'tin-robot-hx7',
    'Tin Robot HX-7',
    'Nomad Toys',
    'Robots',
    '1960s, Tin, Wind-up',
    'ROB-007',
    1,
    '129.00',
    { 'Cost per item': '60.00', 'Variant Barcode': '0365275101829' },
  ),
  picture('tin-robot-hx7', 2),
  picture('tin-robot-hx7', 3),
  product(
    'captain-garrow',
    'Captain Garrow 3¾"',
    'Brassworks',
    'Figures',
    'Carded, Series 1',
    'GAR-MOC',
    2,
    '45.50',
    { 'Option1 Name': 'State', 'Option1 Value': 'On card' },
  ),
  variant('captain-garrow', 'Loose', 'GAR-LSE', 3, '12.00'),
  variant('captain-garrow', 'Damaged', 'GAR-DMG', 0, '4.00'),
  product('mystery-box', 'Mystery Box, "Space"', 'Brassworks', 'Boxes', '', 'BOX-1', -2, '20.00'),
  product('moth-queen', 'Moth Queen', 'Brassworks', 'Figures', 'Series 2', 'MTH-1', 1, '18.99', {
    Status: 'draft',
    Published: 'false',
  }),
  product('tram-line-9', 'Tram Line 9', 'Schiene & Sohn', 'Die-cast', '1:87, Trams', '0009', 4, '32.00'),
  picture('tram-line-9', 2),
  product('tram-line-2', 'Tram Line 2', 'Schiene & Sohn', 'Die-cast', '1:87, Trams', '0002', 1, '38.00', {
    Status: 'archived',
  }),
  product('old-barnacle', 'Old Barnacle', 'Brassworks', 'Figures', 'Series 1, Loose', 'BAR-1', 1, '9.00'),
  product('dr-quillon', 'Dr. Quillon', 'Brassworks', 'Figures', 'Series 1', 'QUI-1', 2, '1250.00'),
  product('gift-card', 'Gift Card', 'The Shop', 'Gift Cards', '', '', 50, '25.00', { 'Gift Card': 'true' }),
  product('zwoelfer', 'Zwölfer', 'Brassworks', 'Figures', 'Series 2; Import', 'ZWO-1', 1, '14.00'),
]);

function goods(
  id: number,
  type: string,
  sku: string,
  name: string,
  stock: number | '' | 'parent',
  price: string,
  more: Row = {},
): Row {
  return {
    ID: id,
    Type: type,
    SKU: sku,
    Name: name,
    Published: 1,
    'Is featured?': 0,
    'Visibility in catalog': 'visible',
    'Short description': 'From the shop.',
    Description: `<p>${name}.</p>\n<p>Ships in a box.</p>`,
    'Tax status': 'taxable',
    'In stock?': 1,
    Stock: stock,
    'Backorders allowed?': 0,
    'Sold individually?': 0,
    'Allow customer reviews?': 1,
    'Regular price': price,
    Categories: 'Toys > Figures',
    Images: `https://shop.example/${id}.jpg`,
    Position: 0,
    ...more,
  };
}

await sample('woocommerce', [
  goods(44, 'variable', 'gar', 'Captain Garrow', '', '', {
    'Attribute 1 name': 'State',
    'Attribute 1 value(s)': 'Carded, Loose',
    'Attribute 1 visible': 1,
    'Attribute 1 global': 1,
  }),
  goods(45, 'variation', 'gar-moc', 'Captain Garrow - Carded', 2, '45.50', {
    Parent: 'gar',
    'Attribute 1 name': 'State',
    'Attribute 1 value(s)': 'Carded',
  }),
  goods(46, 'variation', 'gar-lse', 'Captain Garrow - Loose', 3, '12', {
    Parent: 'gar',
    'Attribute 1 name': 'State',
    'Attribute 1 value(s)': 'Loose',
  }),
  goods(47, 'simple', 'moth-1', 'Moth Queen', 1, '18.99', { Tags: 'series 2, rare', 'Sale price': '15' }),
  goods(48, 'simple', '0009', 'Tram Line 9, "Depot"', 4, '32', { Categories: 'Toys > Die-cast, New' }),
  goods(49, 'simple', '0002', 'Tram Line 2', '', '38'),
  goods(50, 'simple', 'rob-7', 'Tin Robot HX-7', 0, '129', { 'In stock?': 0 }),
  goods(51, 'simple', 'bar-1', 'Old Barnacle', 1, '9', { Published: 0 }),
  goods(52, 'simple', 'qui-1', 'Dr. Quillon', 2, '1250', { Published: -1 }),
  goods(53, 'simple, downloadable, virtual', 'pdf-1', 'Price Guide (PDF)', '', '5', {
    Categories: 'Books',
    'Download 1 name': 'Guide',
    'Download 1 URL': 'https://shop.example/guide.pdf',
  }),
  goods(54, 'grouped', 'set-1', 'Series 1, all', '', '', { 'Grouped products': 'bar-1, qui-1' }),
  goods(55, 'external', '', 'Elsewhere', '', '10', {
    'External URL': 'https://elsewhere.example/',
    'Button text': 'Buy there',
  }),
  goods(56, 'simple', 'zwo-1', 'Zwölfer', 1, '14', { 'Purchase note': 'Thank you!\nDo write.' }),
  goods(57, 'simple', 'mir-1', 'Mirelle', 1, '', {}),
  goods(59, 'variation', 'gar-prm', 'Captain Garrow - Promo', 'parent', '60', { Parent: 'gar' }),
  goods(58, 'simple', 'tus-1', 'Commander Tusk', 1, '22', { Tags: 'series 1' }),
]);

const cardId = (number: number) => `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`;

await sample('tcgplayer', [
  {
    Quantity: 2,
    Name: 'Ember Sprite (Borderless)',
    'Simple Name': 'Ember Sprite',
    Set: 'Ashen Vale',
    'Card Number': '112',
    'Set Code': 'ASV',
    Printing: 'Normal',
    Condition: 'Near Mint',
    Language: 'English',
    Rarity: 'Common',
    'Product ID': 562104,
    SKU: 8123456,
  },
  {
    Quantity: 1,
    Name: 'Rise // Fall Back',
    'Simple Name': 'Rise',
    Set: 'Ashen Vale',
    'Card Number': '27',
    'Set Code': 'ASV',
    Printing: 'Foil',
    Condition: 'Moderately Played',
    Language: 'German',
    Rarity: 'Rare',
    'Product ID': 562105,
    SKU: 8123457,
  },
]);

await sample(
  'tcgplayer-inventory',
  [
    {
      'TCGplayer Id': 4780851,
      'Product Line': 'Magic',
      'Set Name': 'Ashen Vale',
      'Product Name': 'Ember Sprite',
      Number: '112',
      Rarity: 'C',
      Condition: 'Near Mint',
      'TCG Market Price': '2.50',
      'TCG Low Price': '1.99',
      'Total Quantity': 3,
      'Add to Quantity': 0,
      'TCG Marketplace Price': '2.75',
    },
    {
      'TCGplayer Id': 4780852,
      'Product Line': 'Magic',
      'Set Name': 'Ashen Vale',
      'Product Name': 'Rise // Fall Back',
      Number: '27',
      Rarity: 'R',
      Condition: 'Lightly Played Foil',
      'TCG Market Price': '14.00',
      'Total Quantity': 1,
      'Add to Quantity': 0,
      'TCG Marketplace Price': '15.00',
    },
    {
      'TCGplayer Id': 4780853,
      'Product Line': 'Magic',
      'Set Name': 'Ashen Vale',
      'Product Name': 'Gearwright',
      Condition: 'Damaged',
      'Total Quantity': 0,
      'Add to Quantity': 0,
      'TCG Marketplace Price': '0.20',
    },
  ],
  { end: '\r\n' },
);

function binderCard(
  name: string,
  set: string,
  number: string,
  quantity: number,
  condition: string,
  more: Row,
): Row {
  return {
    'Binder Name': 'Trade binder',
    'Binder Type': 'binder',
    Name: name,
    'Set code': 'ASV',
    'Set name': set,
    'Collector number': number,
    Foil: 'normal',
    Rarity: 'rare',
    Quantity: quantity,
    'ManaBox ID': 84_000 + Number(number),
    'Scryfall ID': cardId(Number(number)),
    Misprint: 'false',
    Altered: 'false',
    Condition: condition,
    Language: 'en',
    'Purchase price currency': 'EUR',
    Added: '2026-07-11T18:44:33.509Z',
    ...more,
  };
}
await sample(
  'manabox',
  [
    binderCard('Ember Sprite', 'Ashen Vale', '112', 2, 'near_mint', { 'Purchase price': '12.0' }),
    binderCard('Rise // Fall Back', 'Ashen Vale', '27', 1, 'light_played', {
      Foil: 'etched',
      Altered: 'true',
    }),
    binderCard('Gearwright', 'Ashen Vale', '140', 1, 'poor', { 'Purchase price': '0.5' }),
    binderCard('Tidewatcher', 'Ashen Vale', '8', 4, 'near_mint', {
      'Binder Name': 'Wants',
      'Binder Type': 'list',
    }),
  ],
  { end: '\r\n' },
);

function folderCard(
  name: string,
  number: string,
  quantity: number,
  trade: number,
  condition: string,
  more: Row = {},
): Row {
  return {
    'Folder Name': 'Box 1',
    Quantity: quantity,
    'Trade Quantity': trade,
    'Card Name': name,
    'Set Code': 'ASV',
    'Set Name': 'Ashen Vale',
    'Card Number': number,
    Condition: condition,
    Printing: 'Normal',
    Language: 'English',
    'Price Bought': '0.00',
    'Date Bought': '2024-01-01',
    LOW: '0.10',
    MID: '0.30',
    MARKET: '0.25',
    ...more,
  };
}
await sample(
  'dragon-shield',
  [
    folderCard('Ember Sprite', '112', 1, 1, 'NearMint'),
    folderCard('Rise // Fall Back', '27', 2, 1, 'LightPlayed', {
      Printing: 'Rainbow Foil',
      MARKET: '127.93',
    }),
    folderCard('Clue Token', '14', 1, 0, 'Played', { MARKET: '0.00', 'Price Bought': '0.15' }),
  ],
  { end: '\r\n', before: '"sep=,"' },
);

function archived(name: string, number: string, condition: string, more: Row = {}): Row {
  return {
    Quantity: 1,
    Name: name,
    Finish: 'Normal',
    Condition: condition,
    'Date Added': '2026-05-15',
    Language: 'EN',
    'Edition Name': 'Ashen Vale',
    'Edition Code': 'asv',
    'Multiverse Id': 617_000 + Number(number),
    'Scryfall ID': cardId(Number(number)),
    'Collector Number': number,
    ...more,
  };
}
await sample('archidekt', [
  archived('Ember Sprite', '112', 'NM', { Quantity: 2, 'Purchase Price': '1.50' }),
  archived('Rise // Fall Back', '27', 'HP', { Finish: 'Etched', 'Multiverse Id': 0 }),
  archived('Gearwright, Unbound', '140', 'D', { Language: 'JP' }),
]);

await sample('mtggoldfish', [
  { Card: 'Ember Sprite', 'Set ID': 'ASV', 'Set Name': 'Ashen Vale', Quantity: 4, Foil: 'regular' },
  {
    Card: 'Rise // Fall Back',
    'Set ID': 'ASV',
    'Set Name': 'Ashen Vale',
    Quantity: 1,
    Foil: 'foil',
    Variation: 'showcase',
    'Collector Number': 27,
    'Scryfall ID': cardId(27),
  },
]);

await sample('topdecked', [
  {
    QUANTITY: 1,
    NAME: 'Ember Sprite',
    SETCODE: 'asv',
    SETNAME: 'Ashen Vale',
    'COLLECTOR NUMBER': '112',
    FINISH: 'nonfoil',
    PRICE: '€1.33',
    RARITY: 'common',
    ID: cardId(112),
    'ACQUIRED DATE': 'Fri May 15 2026 16:43:29 GMT+0200 (Central European Summer Time)',
    'ACQUIRED PRICE': '0.5',
    LANG: 'en',
    ALTERATION: 'false',
    CONDITION: 'near mint',
  },
  {
    QUANTITY: 2,
    NAME: 'Rise // Fall Back',
    SETCODE: 'asv',
    SETNAME: 'Ashen Vale',
    'COLLECTOR NUMBER': '27',
    FINISH: 'foil',
    PRICE: '€0.00',
    RARITY: 'rare',
    ID: cardId(27),
    LANG: 'zhs',
    ALTERATION: 'true',
    CONDITION: 'slightly played',
    TAGS: 'binder',
  },
]);

await sample('brickset', [
  {
    SetID: 22520,
    Number: '40701',
    Variant: 1,
    YearFrom: 2023,
    Category: 'Normal',
    Theme: 'City',
    ThemeGroup: 'Modern day',
    Subtheme: 'Harbour',
    SetName: 'Lighthouse Ferry',
    Pieces: 412,
    Minifigs: 3,
    EAN: '5700000000014',
    BrickLinkSoldPriceNew: '86.74',
    BrickLinkSoldPriceUsed: '61.20',
    Own: 'X',
    QtyOwned: 2,
    QtyOwnedNew: 1,
    QtyOwnedUsed: 1,
    UserNotes: 'one sealed',
  },
  {
    SetID: 22521,
    Number: '40702',
    Variant: 1,
    YearFrom: 2024,
    Theme: 'City',
    SetName: 'Tram Depot',
    Want: 'X',
    QtyOwned: 0,
    QtyWanted: 1,
  },
]);
await sample('brickset-2019', [
  {
    Number: '40701-1',
    Theme: 'City',
    Subtheme: 'Harbour',
    Year: 2019,
    'Set name': 'Lighthouse Ferry',
    Minifigs: 3,
    Pieces: 412,
    'RRP (USD)': '39.99',
    EAN: '5700000000014',
    'Qty owned': 1,
    'Qty owned new': 1,
    'Qty owned used': 0,
    Wanted: 0,
    'Value new (USD)': '86.7400',
    'Value used (USD)': '73.8200',
    'Launch date': '01/06/2019',
  },
  {
    Number: '40702-1',
    Theme: 'City',
    Year: 2021,
    'Set name': 'Tram Depot',
    'Qty owned': 0,
    Wanted: 1,
    'Qty wanted': 1,
  },
]);
await sample('brickset-2013', [
  {
    SetID: 7326,
    Number: '102A',
    Variant: 1,
    Theme: 'LEGOLAND',
    Subtheme: 'Construction',
    Year: 1966,
    Name: 'Front Loader',
    Pieces: 57,
    Owned: 'Yes',
    Wanted: 'No',
    QtyOwned: 1,
  },
  {
    SetID: 7455,
    Number: '442A',
    Variant: 1,
    Theme: 'Classic',
    Year: 1971,
    Name: 'Flags',
    Pieces: 6,
    Owned: 'No',
    Wanted: 'Yes',
    QtyOwned: 0,
  },
]);

await sample('rebrickable', [
  { 'Set Number': '40701-1', Quantity: 1, 'Includes Spares': 'True', 'Inventory Ver': 1 },
  { 'Set Number': '40702-1', Quantity: 2, 'Includes Spares': 'False', 'Inventory Ver': 1 },
]);

await sample('bricklink', [
  {
    CATEGORY: 65,
    COLOR: 0,
    CONDITION: 'N',
    DESCRIPTION: 'box has a dent',
    ITEMID: '40701-1',
    ITEMTYPE: 'S',
    LOTID: 190_000_001,
    PRICE: '64.0000',
    QTY: 1,
    STOCKROOM: 'N',
    SUBCONDITION: 'S',
  },
  {
    CATEGORY: 65,
    COLOR: 0,
    CONDITION: 'U',
    ITEMID: '40702-1',
    ITEMTYPE: 'S',
    LOTID: 190_000_002,
    PRICE: '22.5000',
    QTY: 2,
    REMARKS: 'shelf 4',
    STOCKROOM: 'Y',
    SUBCONDITION: 'I',
  },
  {
    CATEGORY: 5,
    COLOR: 11,
    CONDITION: 'U',
    ITEMID: '3001',
    ITEMTYPE: 'P',
    LOTID: 190_000_003,
    PRICE: '0.0500',
    QTY: 480,
    STOCKROOM: 'N',
  },
]);

await sample('clz', [
  {
    Age: 'Bronze',
    'Core ComicID': 69687,
    'Core SeriesID': 5911,
    Country: 'USA',
    'Full Title': 'The Brass Widow',
    Genre: 'Action | Adventure',
    Issue: '69A',
    'Issue Nr': 69,
    Language: 'English',
    Publisher: 'Kestrel Comics',
    'Release Year': 1976,
    Series: 'Moth Queen, Vol. 2',
    Variant: 'A',
    'Cover Price': '0.25',
    Key: 'No',
    'Purchase Date': 'Nov 28, 2025',
    'Purchase Price': '$ 0.12',
    'Purchase Store': 'Corner Books',
    'Raw / Slabbed': 'Raw',
    Value: '$ 4.00',
    Barcode: '0700000000607',
    'Cover Year': 1976,
    Format: 'Comic',
  },
  {
    'Core ComicID': 70511,
    'Core SeriesID': 5946,
    Genre: 'Horror',
    Issue: '1',
    Publisher: 'Kestrel Comics',
    Series: 'Night Tram',
    'Date Sold': 'Nov 30, 2025',
    'Price Sold': '$ 120.00',
    Grade: '9.4',
    'Grading Company': 'CGC',
    'My Value': '$ 110.00',
    Value: '$ 95.00',
    'Slab Certification Number': '0041237002',
    'Cover Year': 1963,
  },
]);

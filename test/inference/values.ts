/** Cells as collectors write them, by kind. All made up; `pick` draws from the seed, so that a table is always the same. */
import type { Random } from './random.ts';

type Make = (random: Random, row: number) => string;

const NAME_HEADS =
  'Amber,Brass,Copper,Dusk,Ember,Falcon,Granite,Harbour,Iron,Juniper,Krill,Lantern,Marble,Nimbus,Orchid,Piston,Quartz,Raven,Saddle,Thunder,Umber,Violet,Willow,Yonder,Zephyr,Captain,Doctor,Professor,Lady,Baron';
const NAME_TAILS =
  'Racer,Guard,Robot,Express,Hauler,Sprite,Knight,Voyager,Patrol,Sentinel,Rider,Coupe,Wagon,Cruiser,Ranger,Tracker,Beetle,Tower,Castle,Pilot,Wolf,Serpent,Bride,Song,Garden,Winter,Affair,Machine,Quest,Horizon';
const words = (text: string): readonly string[] => text.split(',');
const heads = words(NAME_HEADS);
const tails = words(NAME_TAILS);

const oneOf =
  (text: string): Make =>
  (random) =>
    random.pick(words(text));
/** Blank in the given share of cells. */
const sparse =
  (make: Make, blank: number): Make =>
  (random, row) =>
    random.chance(blank) ? '' : make(random, row);

const twoDigits = (value: number) => String(value).padStart(2, '0');
const whole =
  (low: number, high: number): Make =>
  (random) =>
    String(random.int(low, high));
const money =
  (sign: string, high: number): Make =>
  (random) =>
    `${sign}${random.int(0, high)}.${twoDigits(random.int(0, 99))}`;
const digits =
  (count: number, before = ''): Make =>
  (random) =>
    before + Array.from({ length: count }, () => random.int(0, 9)).join('');
const day: Make = (random) =>
  `${random.int(1995, 2024)}-${twoDigits(random.int(1, 12))}-${twoDigits(random.int(1, 28))}`;

/** Two words, now and then with a number or a year behind them, as models have. */
const title: Make = (random) => {
  const plain = `${random.pick(heads)} ${random.pick(tails)}`;
  if (random.chance(0.15)) return `${plain} ${random.int(2, 900)}`;
  return random.chance(0.1) ? `The ${plain}` : plain;
};
const hero: Make = (random) =>
  `${random.pick(heads)} ${random.pick(tails)}${random.chance(0.2) ? ' II' : ''}`;
const person: Make = (random) =>
  `${random.pick(words('Ines,Otto,Mara,Jonas,Petra,Luis,Aiko,Bram,Clara,Dario'))} ${random.pick(words('Varga,Halloway,Brandt,Okoro,Silva,Tanaka,Novak,Lindqvist,Moreau,Costa'))}`;
const sentence: Make = (random) =>
  random.pick(
    words(
      'bought at the fair with the others,small chip on the left side,gift from Anna,needs new batteries,box has a tear,from the Berlin lot; see the folder,repainted once I think,very hard to find complete,duplicate; sell the worse one',
    ),
  );

export const VALUES = {
  title,
  hero,
  person,
  longTitle: (random: Random, row: number) =>
    `${title(random, row)}: ${random.pick(words('A Novel,The Complete Story,Deluxe Edition,Volume One,Anniversary Issue'))}`,
  japanese: (random: Random) =>
    `${random.pick(words('銀河,疾風,蒼天,黄金,超合,機動'))}${random.pick(words('戦士,特急,ロボ,怪獣,号,剣士'))}${random.int(1, 99)}`,
  russian: (random: Random) =>
    `${random.pick(words('Красный,Синий,Старый,Быстрый,Железный'))} ${random.pick(words('трактор,паровоз,робот,медведь,самосвал'))} ${random.int(1, 99)}`,
  polish: (random: Random) =>
    `${random.pick(words('Żółty,Mały,Duży,Srebrny,Zielony'))} ${random.pick(words('pociąg,samochód,robot,miś,żołnierz'))} ${random.int(1, 99)}`,
  maker: oneOf('Corvane,Halloway Plastics,Brightwheel,Tin & Co,Norbo,Steelhart,Ostmark,Playwell,Kestrel'),
  publisher: oneOf('Harrow & Finch,Owl Row Press,Nightjar Books,Meridian,Blue Door,Longacre'),
  label: oneOf('Owl Row Records,Northlight,Paper Moon,Sundial,Glasshouse'),
  band: oneOf('The Paper Owls,Marble Sun,Ines & The Rivers,Dusk Club,Static Harbour,Low Tide'),
  line: oneOf('Space Rangers,Superwheels,City Heroes,Night Squad,Ocean Quest,Desert Force'),
  theme: oneOf('Space,Castle,Town,Pirates,Trains,Technic'),
  wave: oneOf('Wave 1,Wave 2,Wave 3,Wave 4'),
  console: oneOf('Vectron 64,Pocket Duo,Arcadia,Orbit II,Neon Station'),
  cardSet: oneOf('Ashen Vale,Tidefall,Mirror Keep,Core 2019,Ember Dawn'),
  setCode: oneOf('ASV,TDF,MRK,C19,EMD'),
  publisherSeries: oneOf('The Ledger Cycle,Moor Street,Nine Rivers,Salt Trilogy,,,'),
  seriesNumber: whole(1, 12),
  year: whole(1970, 2023),
  oldYear: whole(1850, 1966),
  yearOrZero: sparse((random) => (random.chance(0.2) ? '0' : String(random.int(1970, 2023))), 0),
  aboutYear: (random: Random) =>
    random.chance(0.3) ? `c. ${random.int(1970, 1999)}` : String(random.int(1970, 1999)),
  circaYear: (random: Random) => `um ${random.int(1970, 1999)}`,
  date: day,
  germanDate: (random: Random) => `${random.int(1, 28)}.${random.int(1, 12)}.${random.int(1995, 2024)}`,
  time: (random: Random, row: number) => `${day(random, row)} 1${random.int(0, 9)}:2${random.int(0, 9)}:00`,
  grade: oneOf('Mint,Near Mint,Very Good,Good,Fair,Poor'),
  cardGrade: oneOf('Near Mint,Lightly Played,Moderately Played,Heavily Played,Damaged'),
  shortGrade: oneOf('NM,LP,MP,HP,DMG'),
  toyGrade: oneOf('C8,C9,C7,C10,C6.5'),
  comicGrade: oneOf('9.8,9.6,9.4,8.0,7.5,6.0'),
  recordGrade: oneOf('Mint (M),Near Mint (NM or M-),Very Good Plus (VG+),Very Good (VG),Good (G)'),
  brickGrade: oneOf('N,U'),
  coinGrade: oneOf('XF,VF,AU,UNC,F,VG,MS-63,PR-65'),
  knownGrade: oneOf('MOC,loose mint,damaged,loose_good,mint on card'),
  germanGrade: oneOf('neuwertig,gut,bespielt,defekt,OVP'),
  dutchGrade: oneOf('nieuw,goed,redelijk,matig'),
  polishGrade: oneOf('idealny,bardzo dobry,dobry,uszkodzony'),
  russianGrade: oneOf('новый,отличное,хорошее,среднее'),
  japaneseGrade: oneOf('新品,美品,良品,中古,ジャンク'),
  italianGrade: oneOf('nuovo,ottimo,buono,discreto'),
  package: oneOf('in_package,opened,loose,sealed,boxed,no box'),
  germanPackage: oneOf('OVP,ohne OVP,lose,originalverpackt'),
  yesNo: oneOf('yes,no'),
  yesNoBig: oneOf('Y,N'),
  tick: sparse(() => 'x', 0.6),
  zeroOne: whole(0, 1),
  trueFalse: oneOf('True,False'),
  status: oneOf('keep,sell,sold,trade'),
  ownStatus: oneOf('Owned,For Sale,Sold'),
  readStatus: oneOf('read,to-read,currently-reading'),
  tags: oneOf('ship; rebel,car; red; fast,robot,gift; box,rare;old'),
  tagsComma: oneOf('"fantasy, favourites",history,"crime, paper",poetry'),
  genre: oneOf('Rock,Jazz,Folk,Electronic,Pop'),
  bookGenre: oneOf('Fantasy,Crime,History,Poetry,Science Fiction'),
  category: oneOf('Vehicles,Figures,Playsets,Accessories'),
  rarity: oneOf('Common,Uncommon,Rare,Mythic'),
  colour: oneOf('red,blue,black/white,cream,green'),
  scale: oneOf('1:64,1:43,1:18,1:24'),
  gauge: oneOf('H0,N,0,TT,G'),
  country: oneOf('Germany,France,Italy,USA,Japan'),
  language: oneOf('English,German,Japanese,French'),
  format: oneOf('Paperback,Hardcover,LP,CD,Blu-ray'),
  mint: oneOf('P,D,S,W'),
  metal: oneOf('Silver,Gold,Copper,Nickel'),
  denomination: oneOf('1 Cent,5 Pfennig,1 Mark,10 Pence,1 Dollar'),
  folder: oneOf('Main,Attic,Trade,Doubles'),
  shelf: oneOf('A1,A2,B1,C4,Box 7'),
  shop: oneOf('eBay,flea market,Toy Fair,Corner Books'),
  file: (random: Random) => `IMG_${random.int(1000, 9999)}.jpg`,
  url: (random: Random) => `https://img.example.com/items/${random.int(10_000, 99_999)}.jpg`,
  number: whole(1, 300),
  rowNumber: (_: Random, row: number) => String(row + 1),
  serial: digits(8, 'SN-'),
  code: (random: Random) => `${random.pick(words('HKK,GRX,HCT,FJV,DHP'))}${random.int(10, 99)}`,
  catalogue: (random: Random) => `${random.pick(words('OWL,NL,PM,SD'))} ${random.int(1, 400)}`,
  article: digits(5),
  barcode: digits(12, '0'),
  isbn: digits(9, '978'),
  uuid: (random: Random) => `6f1c7e0a-93b1-4a57-8f5e-${digits(12)(random, 0)}`,
  bigId: digits(7, '9'),
  quantity: whole(1, 4),
  stock: whole(0, 40),
  points: whole(100, 5000),
  rating: whole(0, 5),
  pages: whole(80, 900),
  pieces: whole(20, 3000),
  issue: whole(1, 500),
  weight: (random: Random) => `${random.int(0, 40)}.${random.int(0, 9)}`,
  dollars: money('$', 250),
  amount: money('', 250),
  pounds: money('£', 200),
  euros: (random: Random) => `${random.int(1, 250)},${twoDigits(random.int(0, 99))} €`,
  aboutEuros: (random: Random) => `ca. ${random.int(2, 80)} €`,
  range: (random: Random) => {
    const low = random.int(2, 80);
    return `${low}-${low + 5}`;
  },
  commaAmount: (random: Random) => `${random.int(1, 250)},${twoDigits(random.int(0, 99))}`,
  zloty: (random: Random) => `${random.int(1, 900)},00 zł`,
  yen: (random: Random) => `¥${random.int(3, 90)}00`,
  pennies: whole(100, 90_000),
  sparseDollars: sparse(money('$', 250), 0.5),
  note: sparse(sentence, 0.5),
  text: sentence,
  blank: () => '',
} satisfies Record<string, Make>;

export type ValueKind = keyof typeof VALUES;

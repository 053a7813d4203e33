/** Words that names of seeded toys are made of. All makers and lines are invented. */

export interface ToyLine {
  /** Index of their collection; see SEED_COLLECTIONS. */
  collection: number;
  brands: readonly string[];
  series: readonly string[];
  subjects: readonly string[];
  variants: readonly string[];
  /** First and last year of release. */
  years: readonly [number, number];
  /** Typical lowest and highest value. */
  values: readonly [number, number];
  tags: readonly string[];
}

export const SEED_COLLECTIONS = [
  { name: 'Die-cast', description: 'Cars and trucks, 1:64 to 1:18', is_public: true },
  { name: 'Action figures', description: 'Carded and loose', is_public: true },
  { name: 'Dolls & plush', description: null, is_public: false },
  { name: 'Building sets', description: 'Sealed ones upstairs, built ones in the hall', is_public: true },
  { name: 'Trains', description: 'H0 and 0 gauge – all running', is_public: false },
] as const;

export const TOY_LINES: readonly ToyLine[] = [
  {
    collection: 0,
    brands: ['Rapidcast', 'Minimotor', 'Kestrel Models'],
    series: ['Street Kings', 'Rally Legends', 'Workhorses', 'Redline Reissue'],
    subjects: [
      '’69 Fastback',
      'Delivery Van',
      'Rally Coupé',
      'Dune Buggy',
      'Fire Engine',
      'Pickup',
      'Hot Rod',
    ],
    variants: ['red', 'metallic blue', 'chase version', 'no tampo', 'white', 'gold wheels'],
    years: [1968, 2024],
    values: [2, 180],
    tags: ['1:64', '1:43', 'chase', 'redline', 'first edition'],
  },
  {
    collection: 1,
    brands: ['Northstar Toys', 'Galaxy Forge', 'Titan Works'],
    series: ['Star Rangers', 'Mutant Patrol', 'Knights of Orm', 'Space Salvage, Inc.'],
    subjects: [
      'Captain Vega',
      'Robo-Scout',
      'The Baron',
      'Ice Warrior',
      'Señor Muerte',
      'Swamp Thing-a-ma-jig',
    ],
    variants: ['wave 1', 'with cape', 'repaint', 'mail-away', '"battle damage"', '12 inch'],
    years: [1977, 2023],
    values: [5, 950],
    tags: ['MOC', 'graded', 'vintage', 'complete', 'missing weapon'],
  },
  {
    collection: 2,
    brands: ['Marigold', 'Puppenhaus Lindner', 'Cuddlecraft'],
    series: ['Seasons', 'Little Neighbours', 'Forest Friends'],
    subjects: ['Clara', 'Winter Bear', 'Fröken Elsa', 'Patchwork Rabbit', 'Twin Sisters', 'Sailor Fox'],
    variants: ['holiday dress', 'small', '40 cm', 'reproduction', 'with trunk'],
    years: [1968, 2022],
    values: [8, 320],
    tags: ['porcelain', 'plush', 'signed', 'restored', 'with certificate'],
  },
  {
    collection: 3,
    brands: ['Klickstein', 'Brikworks'],
    series: ['Harbour', 'Castle', 'Moonbase', 'Town Life'],
    subjects: ['Lighthouse', 'Dragon Gate', 'Lunar Rover', 'Bakery', 'Freight Ferry', 'Knight’s Tournament'],
    variants: ['#1024', '#377', '#6041', 'anniversary', 'polybag'],
    years: [1978, 2025],
    values: [10, 640],
    tags: ['sealed', 'complete', 'instructions', 'retired', 'box damaged'],
  },
  {
    collection: 4,
    brands: ['Adler & Sohn', 'Continental Gauge'],
    series: ['Alpine Line', 'Branch Line', 'Express 1960'],
    subjects: [
      'Steam Locomotive 2-6-2',
      'Dining Car',
      'Tank Wagon',
      'Railcar',
      'Station Building',
      'Crocodile',
    ],
    variants: ['H0', '0 gauge', 'weathered', 'digital', 'green livery'],
    years: [1968, 2021],
    values: [12, 780],
    tags: ['H0', 'digital', 'analogue', 'boxed', 'serviced'],
  },
];

export const STORAGE_PLACES = [
  'Attic, shelf 3',
  'Display case',
  'Box 12',
  'Garage; left',
  'At Mum’s',
] as const;

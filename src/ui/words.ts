/** Fields and their values, and problems of rows, in words that a collector knows. */
import { shownForm } from '../mapping/text-form.ts';
import { html, type Html } from './html.ts';
import { catalogue } from './texts.ts';
import type { Visitor } from './ui.ts';

const FIELDS = catalogue(
  {
    name: 'Name',
    brand: 'Brand',
    series: 'Series',
    release_year: 'Year',
    condition: 'Condition',
    packaging: 'Packaging',
    status: 'Status',
    tags: 'Tags',
    estimated_value: 'Value',
    collection: 'Collection',
    collection_id: 'Collection',
    currency: 'Currency',
    quantity: 'How many',
    id: 'Item number',
  },
  {
    name: 'Name',
    brand: 'Marke',
    series: 'Serie',
    release_year: 'Jahr',
    condition: 'Zustand',
    packaging: 'Verpackung',
    status: 'Status',
    tags: 'Schlagwörter',
    estimated_value: 'Wert',
    collection: 'Sammlung',
    collection_id: 'Sammlung',
    currency: 'Währung',
    quantity: 'Anzahl',
    id: 'Nummer des Stücks',
  },
);

const VALUES = catalogue(
  {
    mint_on_card: 'Mint on card',
    loose_mint: 'Loose, mint',
    loose_good: 'Loose, good',
    loose_fair: 'Loose, fair',
    damaged: 'Damaged',
    in_package: 'In package',
    opened: 'Opened',
    loose: 'Loose',
    custom: 'Custom',
    keep: 'Keep',
    sell: 'For sale',
    trade: 'For trade',
    sold: 'Sold',
    archived: 'Archived',
  },
  {
    mint_on_card: 'Neu auf Karte',
    loose_mint: 'Lose, neuwertig',
    loose_good: 'Lose, gut',
    loose_fair: 'Lose, bespielt',
    damaged: 'Beschädigt',
    in_package: 'Verpackt',
    opened: 'Geöffnet',
    loose: 'Lose',
    custom: 'Umgebaut',
    keep: 'Behalten',
    sell: 'Zu verkaufen',
    trade: 'Zu tauschen',
    sold: 'Verkauft',
    archived: 'Archiviert',
  },
);

const BLANK = catalogue({ blank: 'blank' }, { blank: 'leer' });

/** `condition` → Condition; `custom_fields.Fach` → Fach. */
export function fieldName(field: string, { language }: Pick<Visitor, 'language'>): string {
  const names: Readonly<Record<string, string>> = FIELDS[language];
  return Object.hasOwn(names, field) ? (names[field] ?? field) : field.replace(/^custom_fields\./, '');
}

/** A value as text; '' for a blank one. */
export function fieldValue(field: string, value: unknown, { language, words }: Visitor): string {
  if (value === null || value === undefined) return '';
  if (field === 'estimated_value' && typeof value === 'number') return words.amount(value);
  const text = shownForm(field, value);
  const values: Readonly<Record<string, string>> = VALUES[language];
  const isWord = field === 'condition' || field === 'packaging' || field === 'status';
  return isWord && Object.hasOwn(values, text) ? (values[text] ?? text) : text;
}

/** The class that aligns the numbers of a column. */
export function numberClass(field: string): Html {
  return field === 'estimated_value' || field === 'release_year' ? html` class="number"` : html``;
}

export function blankText({ language }: Pick<Visitor, 'language'>): string {
  return BLANK[language].blank;
}

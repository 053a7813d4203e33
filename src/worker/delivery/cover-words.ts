/** The words of a mail with a file. */
import type { ExportResource } from '../../export/request.ts';
import type { MailLanguage } from '../notify/language.ts';

export interface CoverWords {
  schedule: string;
  period: string;
  read: string;
  contents: string;
  rows: string;
  files: string;
  byStatus: string;
  totals: string;
  leftOut: string;
  changed: string;
  complete: string;
  warnings: string;
  checksum: string;
  questions: string;
  unknown: string;
  none: string;
  minorUnits: string;
  fromTo: (from: string, to: string) => string;
  /** The word for a status. */
  status: (status: string) => string;
  resources: Record<ExportResource, string>;
  /** Report name → its title. */
  reports: Readonly<Record<string, string>>;
  /** English label of a report's figure → translation; other labels are shown as they are. */
  figures: Readonly<Record<string, string>>;
  /** @param status the new status of the items; undefined: any change */
  changesSince: (since: string, status: string | undefined) => string;
  /** Title for the sales of a period. */
  salesFrom: (from: string) => string;
  startingPoint: (at: string, status: string | undefined) => string;
  counts: (changes: { created: number; changed: number; left: number; unchanged: number }) => string;
  first: string;
  comparedWith: (at: string) => string;
  /** Key of a step in the inventory's changes → its label; other steps are not mentioned. */
  steps: Readonly<Record<string, string>>;
  /** List or report → the sentence that explains why nothing is missing. */
  stable: Readonly<Record<string, string>>;
  moved: string;
  missingAtMost: (count: string) => string;
  proof: (manifest: string) => string;
}

const EN: CoverWords = {
  schedule: 'Schedule',
  period: 'Period',
  read: 'Read',
  contents: 'Contents',
  rows: 'Rows',
  files: 'Files',
  byStatus: 'By status',
  totals: 'Estimated values',
  leftOut: 'Rows left out',
  changed: 'Changes',
  complete: 'Complete',
  warnings: 'Warnings',
  checksum: 'Checksum',
  questions: 'Questions to',
  unknown: 'unknown',
  none: 'none',
  minorUnits: '(minor units; the API does not name the currency)',
  fromTo: (from, to) => `${from} to ${to}`,
  status: (status) => status,
  resources: {
    items: 'The items as they were when they were read.',
    listings: 'The listings as they were when they were read.',
    collections: 'The collections as they were when they were read.',
    sales: 'The totals of sales as the API reported them when they were read.',
  },
  reports: {
    inventory: 'The inventory as it was when it was read.',
    listings: 'The listings as they were when they were read.',
    sales: 'The totals of sales as the API reported them. It does not say which period they cover.',
    month:
      'A month: the inventory at its end, what came, left and changed value, items sold, and sales. Begin with cover.html or cover.xlsx.',
  },
  figures: {},
  changesSince: (since, status) =>
    status === undefined
      ? `Items that were created, changed or left the list between the reading of ${since} and this one.`
      : `Items that came to the status "${status}" between the reading of ${since} and this one.`,
  salesFrom: (from) =>
    `How the totals of sales that the API reported changed, from the reading of ${from} to the one nearest to the end of the period.`,
  startingPoint: (at, status) =>
    status === undefined
      ? `This is the first delivery: it has every item. The next one has only the changes since ${at}.`
      : `This is the first delivery. It sets the starting point, so the file has headers and no rows: that does not mean that nothing was sold before. The next one has the items that come to the status "${status}" after ${at}.`,
  counts: ({ created, changed, left, unchanged }) =>
    `${created} new, ${changed} changed, ${left} left the selection, ${unchanged} unchanged`,
  first: 'This is the first report of this selection, so there is nothing to compare it with.',
  comparedWith: (at) => `Since the report of ${at}:`,
  steps: {
    new: 'new',
    gone: 'no longer in the list',
    revalued: 'value changed by',
    opening: 'opening',
    added: 'added',
    returned: 'returned',
    sold: 'sold',
    archived: 'archived',
    currency_changed: 'currency changed',
    closing: 'closing',
  },
  stable: {
    items: 'Yes. The list was counted after it was read, and the count proves that no item is missing.',
    listings: 'Yes. Two complete readings showed the same listings.',
    collections: 'Yes. The list came in one response, or two readings showed the same collections.',
    sales: 'Yes. The summary came in one response.',
  },
  moved: 'Not certain. The list changed while it was read: see the manifest.',
  missingAtMost: (count) => `Entries that may be missing: ${count} at most.`,
  proof: (manifest) =>
    `${manifest} is the proof of this file: its checksum, totals, selection and completeness.`,
};

const STATUSES_DE: Readonly<Record<string, string>> = {
  keep: 'behalten',
  sell: 'zu verkaufen',
  trade: 'zum Tausch',
  sold: 'verkauft',
  archived: 'archiviert',
};

const DE: CoverWords = {
  schedule: 'Zeitplan',
  period: 'Zeitraum',
  read: 'Gelesen',
  contents: 'Inhalt',
  rows: 'Zeilen',
  files: 'Dateien',
  byStatus: 'Nach Status',
  totals: 'Schätzwerte',
  leftOut: 'Ausgelassene Zeilen',
  changed: 'Änderungen',
  complete: 'Vollständig',
  warnings: 'Warnungen',
  checksum: 'Prüfsumme',
  questions: 'Fragen an',
  unknown: 'unbekannt',
  none: 'keine',
  minorUnits: '(kleinste Einheiten; die API nennt die Währung nicht)',
  fromTo: (from, to) => `${from} bis ${to}`,
  status: (status) => STATUSES_DE[status] ?? status,
  resources: {
    items: 'Die Stücke, wie sie beim Lesen waren.',
    listings: 'Die Angebote, wie sie beim Lesen waren.',
    collections: 'Die Sammlungen, wie sie beim Lesen waren.',
    sales: 'Die Summen der Verkäufe, wie die API sie beim Lesen gemeldet hat.',
  },
  reports: {
    inventory: 'Der Bestand, wie er beim Lesen war.',
    listings: 'Die Angebote, wie sie beim Lesen waren.',
    sales:
      'Die Summen der Verkäufe, wie die API sie gemeldet hat. Sie sagt nicht, für welchen Zeitraum sie gelten.',
    month:
      'Ein Monat: der Bestand am Monatsende, Zugänge, Abgänge und Wertänderungen, verkaufte Stücke und Verkäufe. Einstieg: cover.html oder cover.xlsx.',
  },
  figures: {
    Items: 'Stücke',
    'Items owned': 'Stücke im Bestand',
    Value: 'Schätzwert',
    'Opening value': 'Anfangsbestand',
    'Closing value': 'Endbestand',
    'Items sold in the month': 'Im Monat verkauft',
    'Gross, change': 'Brutto, Veränderung',
    'Fees, change': 'Gebühren, Veränderung',
    'Refunded, change': 'Erstattet, Veränderung',
    'Net payout, change': 'Auszahlung netto, Veränderung',
    'Completed sales, change': 'Abgeschlossene Verkäufe, Veränderung',
    'Value unknown': 'Ohne Wert',
    Sold: 'Verkauft',
    Archived: 'Archiviert',
    Gross: 'Brutto',
    Fees: 'Gebühren',
    Refunded: 'Erstattet',
    'Net payout': 'Auszahlung netto',
    'Completed sales': 'Abgeschlossene Verkäufe',
  },
  changesSince: (since, status) =>
    status === undefined
      ? `Stücke, die zwischen dem Stand vom ${since} und diesem neu sind, sich geändert haben oder weggefallen sind.`
      : `Stücke, die zwischen dem Stand vom ${since} und diesem den Status „${status}“ bekommen haben.`,
  salesFrom: (from) =>
    `Wie sich die Summen der Verkäufe, die die API meldet, verändert haben: vom Stand vom ${from} bis zu dem, der dem Ende des Zeitraums am nächsten ist.`,
  startingPoint: (at, status) =>
    status === undefined
      ? `Dies ist die erste Lieferung: Sie enthält alle Stücke. Die nächste enthält nur die Änderungen seit ${at}.`
      : `Dies ist die erste Lieferung. Sie legt den Ausgangspunkt fest; die Datei hat deshalb nur Überschriften und keine Zeilen. Das heißt nicht, dass vorher nichts verkauft wurde. Die nächste enthält die Stücke, die nach dem ${at} den Status „${status}“ bekommen.`,
  counts: ({ created, changed, left, unchanged }) =>
    `${created} neu, ${changed} geändert, ${left} weggefallen, ${unchanged} unverändert`,
  first: 'Dies ist der erste Bericht dieser Auswahl; es gibt nichts, womit er verglichen werden könnte.',
  comparedWith: (at) => `Seit dem Bericht vom ${at}:`,
  steps: {
    new: 'neu',
    gone: 'nicht mehr in der Liste',
    revalued: 'Wertänderung',
    opening: 'Anfangsbestand',
    added: 'Zugänge',
    returned: 'zurückgenommen',
    sold: 'verkauft',
    archived: 'archiviert',
    currency_changed: 'andere Währung',
    closing: 'Endbestand',
  },
  stable: {
    items: 'Ja. Die Liste wurde nach dem Lesen gezählt; die Zahl beweist, dass kein Stück fehlt.',
    listings: 'Ja. Die Liste wurde zweimal vollständig gelesen und zeigte dieselben Angebote.',
    collections:
      'Ja. Die Liste kam in einer Antwort, oder sie wurde zweimal gelesen und zeigte dieselben Sammlungen.',
    sales: 'Ja. Die Summen kamen in einer Antwort.',
  },
  moved: 'Nicht sicher. Die Liste hat sich beim Lesen geändert; Näheres steht im Manifest.',
  missingAtMost: (count) => `Höchstens fehlende Einträge: ${count}.`,
  proof: (manifest) =>
    `${manifest} ist der Nachweis zu dieser Datei: Prüfsumme, Summen, Auswahl und Vollständigkeit.`,
};

export const WORDS: Readonly<Record<MailLanguage, CoverWords>> = { en: EN, de: DE };

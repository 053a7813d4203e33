/**
 * Titles with a number beside them, which together are the name: `Saga` and 12 are `Saga #12`. The same applies to a
 * series and its issue if no column holds names. Pure.
 */
import { type Cell, cellText } from '../../sheets/cell.ts';
import { message } from '../../messages/message.ts';
import { fold } from '../fold.ts';
import { fieldOfHeader } from '../columns/columns.ts';
import { findSynonyms } from '../synonyms.ts';
import headers from '../words/headers.json' with { type: 'json' };
import { type ColumnGuess, hasOwnHeader } from './column-guess.ts';
import type { Fit } from './judge-column.ts';

export interface Numbered {
  title: ColumnGuess;
  issue: ColumnGuess;
  /** How well title and number together fit the name. */
  fit: Fit;
}

const TITLES: ReadonlySet<string> = new Set(headers.titles.map(fold));
const ISSUES: ReadonlySet<string> = new Set(headers.issues.map(fold));
const VOLUMES: ReadonlySet<string> = new Set(headers.volumes.map(fold));
const SERIES: ReadonlySet<string> = new Set(headers.numberedSeries.map(fold));
/** If a greater share of the titles is distinct, the numbers only count the rows. */
const MAX_DISTINCT = 0.8;
/** Characters of an issue: `12`, `Annual 1`. */
const MAX_CHARACTERS = 12;

/** Undefined if no column numbers the titles: the numbers count the rows, or are already part of the titles. */
export function findNumbered(
  columns: readonly ColumnGuess[],
  rows: readonly (readonly Cell[])[],
): Numbered | undefined {
  const named = (words: ReadonlySet<string>) =>
    columns.find((column) => hasOwnHeader(column) && words.has(fold(column.header)));
  const issue = named(ISSUES) ?? named(VOLUMES);
  // Row numbers and volumes of encyclopaedias have such headers, too.
  const isNumber =
    issue !== undefined && (fold(issue.header) === 'number' || VOLUMES.has(fold(issue.header)));
  const title = named(TITLES) ?? (isNumber || columns.some(isName) ? undefined : named(SERIES));
  if (title === undefined || issue === undefined) return undefined;
  const textOf = (cells: readonly Cell[], { index }: ColumnGuess) => cellText(cells[index] ?? null).trim();
  const pairs = rows
    .map((cells) => [textOf(cells, title), textOf(cells, issue)] as const)
    .filter(([name, number]) => name !== '' && number !== '');
  const share = (test: (pair: readonly [string, string]) => boolean) =>
    pairs.filter(test).length / pairs.length;
  const isBoth = pairs.length > 0 && pairs.length >= title.profile.filled / 2;
  if (!isBoth || title.profile.texts < title.profile.filled / 2) return undefined;
  if (share(([, number]) => number.length <= MAX_CHARACTERS) < 1) return undefined;
  if (share(([name, number]) => wordsOf(name).has(number.replace(/^#/, ''))) >= 0.5) return undefined;
  const counts = pairs.every(
    ([, number], at) => at === 0 || Number(number) - Number(pairs[at - 1]?.[1]) === 1,
  );
  const distinct = new Set(pairs.map(([name]) => name)).size;
  // Issue numbers have few digits, unlike the numbers of Lego sets.
  const isCatalogue = share(([, number]) => /\d{4}/.test(number)) >= 0.5;
  if (isNumber && (counts || isCatalogue || distinct >= pairs.length * MAX_DISTINCT)) return undefined;
  const isPlain = pairs.every(([, number]) => /^\d/.test(number));
  return {
    title,
    issue,
    fit: {
      confidence: 'certain',
      share: new Set(pairs.map((pair) => pair.join('\n'))).size / pairs.length,
      reason: message('together_with', { header: issue.header }),
      options: { join: [title.header, issue.header], with: isPlain ? ' #' : ' ', needsFirst: true },
    },
  };
}

function isName({ header }: ColumnGuess): boolean {
  return findSynonyms(header).some(({ field }) => field === 'name') || fieldOfHeader(header) === 'name';
}

function wordsOf(text: string): Set<string> {
  return new Set(text.split(/[^\p{L}\p{N}.]+/u));
}

/**
 * Issues by kind, for people: `412 rows: condition "C7" is not known …`, with the first rows and the fix as a
 * line to paste. Counts are exact however many rows are bad, and memory is flat: words beyond a bound share
 * one group, which still counts each of its rows.
 */
import { cut } from './casts/cast.ts';
import type { RowIssue } from './issue.ts';
import { isWordField } from './targets.ts';
import { builtInWords, WORD_FIELDS } from './word-lists.ts';
import { counted } from '../counted.ts';

/** One kind of problem: a code, a field, a column and, mostly, a word that was found. */
export interface IssueGroup {
  code: string;
  field?: string;
  header?: string;
  column?: string;
  /** The text found; absent in the group that takes what is beyond the bound. */
  found?: string;
  expected?: string;
  /** Issues of this kind. */
  count: number;
  /** The first row numbers, in the order they came; at most five. */
  rows: number[];
  /** For each of them the line of the text file, where there are lines. */
  lines?: (number | undefined)[];
  /** The first issue's message. */
  message: string;
}

const FIRST_ROWS = 5;
/** Different words that one code, field and column keeps apart. */
const WORDS_KEPT = 100;

/** Where several texts make the same problem, the text is no part of its kind. */
const BY_KIND_ONLY: ReadonlySet<string> = new Set([
  'too_long',
  'required',
  'ambiguous_number',
  'number_lost',
  'no_match',
  'wrong_currency',
  'control_character',
  'broken_character',
]);

export class IssueGroups {
  readonly #groups = new Map<string, IssueGroup>();
  readonly #words = new Map<string, number>();
  #total = 0;

  /** @param row 1-based row as a spreadsheet program counts; `line`: of the text file, where it is one */
  add(row: number, issue: RowIssue, line?: number): void {
    this.#total += 1;
    const kind = `${issue.code}\u0000${issue.field ?? ''}\u0000${issue.column ?? ''}`;
    const found = BY_KIND_ONLY.has(issue.code) ? undefined : issue.found;
    const group = this.#find(kind, found, issue);
    group.count += 1;
    if (group.rows.length >= FIRST_ROWS) return;
    group.rows.push(row);
    if (line !== undefined) (group.lines ??= [])[group.rows.length - 1] = line;
  }

  /** Issues added; a row with two issues counts twice. */
  get total(): number {
    return this.#total;
  }

  /** The kinds, the most frequent first. */
  groups(): IssueGroup[] {
    return [...this.#groups.values()].sort(
      (a, b) => b.count - a.count || (a.rows[0] ?? 0) - (b.rows[0] ?? 0),
    );
  }

  #find(kind: string, found: string | undefined, issue: RowIssue): IssueGroup {
    const key = found === undefined ? kind : `${kind}\u0000${found}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const words = this.#words.get(kind) ?? 0;
    if (found !== undefined && words >= WORDS_KEPT) {
      const rest = {
        ...issue,
        message: `${issue.field ?? 'cell'} has ${OTHERS[issue.code] ?? 'other problems of this kind'}`,
      };
      delete rest.found;
      return this.#find(`${kind}\u0000\u0000`, undefined, rest);
    }
    if (found !== undefined) this.#words.set(kind, words + 1);
    const group: IssueGroup = { code: issue.code, count: 0, rows: [], message: issue.message };
    if (issue.field !== undefined) group.field = issue.field;
    if (issue.header !== undefined) group.header = issue.header;
    if (issue.column !== undefined) group.column = issue.column;
    if (found !== undefined) group.found = found;
    if (issue.expected !== undefined) group.expected = issue.expected;
    this.#groups.set(key, group);
    return group;
  }
}

const OTHERS: Record<string, string> = {
  unknown_word: 'further words that are not known',
  not_a_number: 'further texts that are no amounts',
  not_a_year: 'further texts that are no years',
  not_an_id: 'further texts that are no ids',
};

/** What a person reads of one group: one line, and the line to paste where there is one. */
export function describeGroup(group: IssueGroup): { line: string; fix?: string } {
  const rows = counted(group.count, 'row');
  const where =
    group.column === undefined
      ? ''
      : ` (column ${group.column}${group.header ? ` ${cut(group.header)}` : ''})`;
  const expected = group.expected === undefined ? '' : `: expected ${group.expected}`;
  const more = group.count > group.rows.length ? ' …' : '';
  const line = `${rows}: ${group.message}${where}${expected}; ${group.rows.length === 1 ? 'row' : 'rows'} ${rowList(group)}${more}`;
  const fix = fixOf(group);
  return fix === undefined ? { line } : { line, fix };
}

/** `4, 5 (line 7), 9 (line 11)`: the line only where it is another number. */
function rowList(group: IssueGroup): string {
  return group.rows
    .map((row, at) => {
      const line = group.lines?.[at];
      return line === undefined || line === row ? `${row}` : `${row} (line ${line})`;
    })
    .join(', ');
}

function fixOf(group: IssueGroup): string | undefined {
  switch (group.code) {
    case 'unknown_word': {
      if (group.found === undefined || group.field === undefined || !isWordField(group.field))
        return undefined;
      const own = WORD_FIELDS[group.field].join('|');
      // `MIB` under condition is mostly a word for the packaging: offer the form that says both.
      const packaging =
        group.field === 'condition' ? builtInWords('packaging').find(group.found)?.value : undefined;
      const meaning = packaging === undefined ? own : `{ condition: ${own}, packaging: ${packaging} }`;
      return `in a template, under columns: ${group.field}: { words: { ${JSON.stringify(group.found)}: ${meaning} } }`;
    }
    case 'ambiguous_number':
      return '--decimal point, or --decimal comma';
    case 'required':
      return group.field === 'name' ? '--default "name=…", or fill the cells in' : undefined;
    case 'out_of_range':
      return group.field === 'release_year'
        ? 'leave the year blank (the API takes 1968 to 2100), and keep the true one in a column of its own: --map "custom_fields.year=HEADER"'
        : undefined;
    case 'uncertain_year':
      return 'in a template, under columns: release_year: { approximate: true }';
    case 'wrong_currency':
      return `convert the amounts; or, if the numbers are right as they are, in a template, under columns: ${group.field ?? ''}: { from: ${JSON.stringify(group.header ?? '')}, pattern: '[\\d.,]+' }`;
    case 'no_match':
      return `in a template, under columns: ${group.field ?? ''}: { …, noMatch: blank } (or keep)`;
    case 'number_lost':
      return 'format the column as text in the spreadsheet program, type the numbers again, and save';
    default:
      return undefined;
  }
}

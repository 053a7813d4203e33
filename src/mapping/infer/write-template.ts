/** Prints an inference as a template: YAML to read, change and keep, with the confidence and the reason of each line. */
import { english } from '../../messages/message.ts';
import type { MessageCode } from '../../messages/params.ts';
import { stringify } from 'yaml';
import { AmountColumn } from '../casts/amount.ts';
import { CastProblem, cut } from '../casts/cast.ts';
import { yesOrNo } from '../casts/yes-no.ts';
import { isQuantityHeader } from '../columns/columns.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import { offeredMeanings } from '../grades.ts';
import type { ColumnOptions } from '../template/template-column.ts';
import { isWordField, builtInWords, WORD_FIELDS, type WordField } from '../word-lists.ts';
import { hintsAtNotes, hintsAtSale } from './header-hints.ts';
import { type ColumnGuess, type Inference, sourceOf } from './column-guess.ts';
import { tickedBy } from './inferred-template.ts';
import { counted } from '../../base/counted.ts';

export interface TemplateText {
  /** The template's `name`. */
  name: string;
  /** The file that was examined, for the first line. */
  file: string;
  /** Path or address of templates/import.schema.json. */
  schema: string;
  /** The name of a template that is made for such files. */
  shipped?: string;
  /** The cells of the sample, for a column's notes. */
  texts: (index: number) => Iterable<string>;
}

const NEVER_KEPT: ReadonlySet<MessageCode> = new Set(['read_only', 'looks_secret']);
/** Unknown words that a comment lists. */
const WORDS_LISTED = 12;

/** The whole file. Certain and likely columns are active; guesses and unknown columns are commented out. */
export function writeTemplate(inference: Inference, about: TemplateText): string {
  const { columns, rows } = inference;
  const used = columns.filter(({ confidence }) => confidence === 'certain' || confidence === 'likely');
  const ticked = used.filter((column) => column.ticked === true);
  const lines = [
    `# yaml-language-server: $schema=${about.schema}`,
    ...(about.shipped === undefined
      ? []
      : [`# The shipped template ${about.shipped} is made for such columns.`]),
    `# Inferred from the first ${counted(rows, 'row')} of ${cut(about.file)}. What every line can say: docs/templates.md.`,
    '# certain: the header says so; likely: the values do, look at it; guess: commented out, take it if it is right.',
    `name: ${scalar(about.name)}`,
    '',
    '# Only what stands here is used; `true` also finds further columns by their usual headers.',
    'guess: false',
    used.length === 0 ? 'columns: {}' : 'columns:',
  ];
  for (const column of used) {
    if (column.ticked === true || column.isPart === true) continue;
    lines.push(...usedLines(column, about));
  }
  if (ticked.length > 0) lines.push(...tickedLines(ticked, used));
  const rest = columns.filter((column) => !used.includes(column));
  const isPackaged = columns.some(({ target }) => target === 'packaging');
  const suggested = rest.flatMap((column) => suggestion(column, isPackaged, about));
  if (suggested.length > 0) lines.push('', '  # Left out. Take the # away to use a line:', ...suggested);
  const rules = columns.flatMap((column) => rule(column));
  if (rules.length > 0) lines.push('', ...rules);
  lines.push('', '# Used where a new item has nothing:', '# defaults: { status: keep }', '');
  return lines.join('\n');
}

function usedLines(column: ColumnGuess, about: TemplateText): string[] {
  const target = column.target ?? '';
  const spec: ColumnOptions = { ...sourceOf(column), ...column.options };
  if (target === 'name') spec.required = true;
  const lines = [
    `  # ${column.confidence}: ${english(column.reason)}${examplesOf(column)}`,
    entry(target, spec),
  ];
  return [...lines, ...advice(target, column, about)];
}

/** Advice that the values of a column suggest, as comments. */
function advice(target: string, column: ColumnGuess, about: TemplateText): string[] {
  const { profile } = column;
  if (isWordField(target)) {
    const isAnswer = (word: string) => yesOrNo(word) !== undefined;
    const unknown = [...profile.unknownWords[target]]
      .filter(([word]) => column.options?.yes === undefined || !isAnswer(word))
      .sort((a, b) => b[1] - a[1]);
    const isOffered = (word: string) => offeredMeanings(target, word).length > 0;
    const answers = unknown.filter(([word]) => isAnswer(word));
    return [
      ...offeredAdvice(
        target,
        unknown.filter(([word]) => isOffered(word)),
      ),
      ...unknownAdvice(
        target,
        unknown.filter(([word]) => !isOffered(word)),
      ),
      ...(answers.length > 0 ? ['  #   yes: …, no: …   # what a yes and a no stand for'] : []),
    ];
  }
  if (target === 'estimated_value') return amountAdvice(column, about);
  if (target === 'release_year') {
    return [
      ...(profile.uncertain > 0
        ? ['  #   approximate: read   # takes `c. 1985` and `1985/86` as 1985; otherwise they are reported']
        : []),
      ...(profile.oldYears > 0
        ? [
            '  #   outOfRange: keep   # keeps years before 1968 in custom_fields.year; otherwise they are reported',
          ]
        : []),
    ];
  }
  if (
    target === 'tags' &&
    profile.lists === 0 &&
    [...about.texts(column.index)].some((text) => text.includes(','))
  ) {
    return ['  #   separators: [","]   # if a comma stands between tags'];
  }
  return [];
}

type CountedWords = readonly (readonly [word: string, cells: number])[];

function offeredAdvice(target: string, words: CountedWords): string[] {
  const [first] = words;
  if (first === undefined) return [];
  const meaning = offeredMeanings(target, first[0])[0]?.value;
  return [
    `  #   ${counted(words.length, 'grade has', 'grades have')} no exact counterpart (${rowsOf(words)}): ${cut(words.map(([word]) => word).join(', '))}`,
    `  #   offeredWords: take   # takes ${JSON.stringify(cut(first[0]))} as ${String(meaning)} and so on, and keeps the grade in a custom field`,
  ];
}

function unknownAdvice(target: WordField, words: CountedWords): string[] {
  if (words.length === 0) return [];
  const shown = words.slice(0, WORDS_LISTED).map(([word]) => `${JSON.stringify(cut(word))}: …`);
  return [
    `  #   ${counted(words.length, 'word is', 'words are')} not known (${rowsOf(words)}); say what each is: ${WORD_FIELDS[target].join(', ')}`,
    `  #   words: { ${shown.join(', ')} }${words.length > WORDS_LISTED ? '   # and more' : ''}`,
  ];
}

function rowsOf(words: CountedWords): string {
  return counted(
    words.reduce((sum, [, cells]) => sum + cells, 0),
    'row',
  );
}

function amountAdvice(column: ColumnGuess, about: TemplateText): string[] {
  const amounts = new AmountColumn({ isBlankWord: () => false });
  let approximate = 0;
  for (const text of about.texts(column.index)) {
    const amount = amounts.cast(text, text);
    if (amount instanceof CastProblem && amount.code === 'approximate_number') approximate += 1;
  }
  amounts.resolve();
  const style = amounts.decided();
  const currencies = amounts.currencies();
  const lines: string[] = [];
  if (approximate > 0) {
    lines.push(
      `  #   approximate: read   # takes "ca. 20" and "20-25" as 20 (${counted(approximate, 'cell')}); otherwise they are reported`,
    );
  }
  if (style !== undefined)
    lines.push(`  #   decimal: ${style}   # what the column shows; decides 1.234 and 1,234`);
  if (currencies !== undefined) {
    const code = /^[A-Z]{3}$/.test(currencies.text) ? currencies.text.toLowerCase() : '…';
    lines.push(
      `  #   currency: ${code}   # ${currencies.text} is in ${counted(currencies.count, 'cell')}; another one becomes an issue`,
    );
  }
  return lines;
}

function tickedLines(ticked: readonly ColumnGuess[], used: readonly ColumnGuess[]): string[] {
  const headers = tickedBy(ticked);
  const own = used.some((column) => column.target === 'tags' && column.ticked !== true);
  const lines = ticked.map(
    (column) => `  # ${column.confidence}: ${cut(column.header)}: ${english(column.reason)}`,
  );
  if (own) return [...lines, `  #   under tags: ticked: ${flow(headers)}`];
  return [...lines, entry('tags', { ticked: headers })];
}

/** A column that is left out, and how it could be used. */
function suggestion(column: ColumnGuess, isPackaged: boolean, about: TemplateText): string[] {
  const { header, letter, profile, reason } = column;
  const name = header === '' ? `column ${letter}` : cut(header);
  if (profile.filled === 0) return [`  # ${name}: no value in the sample`];
  if (column.confidence === 'guess' && column.target !== undefined) {
    const spec: ColumnOptions =
      column.ticked === true ? { ticked: tickedBy([column]) } : { ...sourceOf(column), ...column.options };
    return [`  # guess: ${english(reason)}${examplesOf(column)}`, commented(entry(column.target, spec))];
  }
  if (header.startsWith('_') || NEVER_KEPT.has(reason.code)) return [];
  if (isQuantityHeader(header)) {
    return [
      `  # ${name}: ${profile.counts} of ${counted(profile.filled, 'cell')} are numbers of pieces${examplesOf(column)}; one item for each by:`,
      commented(entry('quantity', sourceOf(column))),
    ];
  }
  const words = isPackaged ? [] : packagingWords(column, about);
  const spec: ColumnOptions = sourceOf(column);
  if (profile.currencies > profile.filled / 2) spec.as = 'money';
  const custom = commented(entry(CUSTOM_PREFIX + (header === '' ? letter : header), spec));
  return [
    `  # ${name}: ${english(reason)}${examplesOf(column)}; kept as a custom field by:`,
    custom,
    ...words,
  ];
}

/** Notes about the packaging of a toy, if no column has it. */
function packagingWords(column: ColumnGuess, about: TemplateText): string[] {
  const { profile, header, index } = column;
  if (!hintsAtNotes(header) && profile.length <= 25 * profile.filled) return [];
  const list = builtInWords('packaging');
  const found = new Map<string, number>();
  for (const text of about.texts(index)) {
    for (const word of new Set(text.match(/\p{L}+/gu) ?? [])) {
      if (list.find(word) !== undefined) found.set(word, (found.get(word) ?? 0) + 1);
    }
  }
  const count = [...found.values()].reduce((sum, each) => sum + each, 0);
  if (count < 3 || count < profile.filled * 0.1) return [];
  const words = [...found.keys()].slice(0, WORDS_LISTED);
  const spec: ColumnOptions = {
    ...sourceOf(column),
    pattern: `(?i)\\b(${words.join('|')})\\b`,
    noMatch: 'blank',
  };
  return [
    `  # guess: ${counted(count, 'cell contains a word', 'cells contain words')} for the packaging`,
    commented(entry('packaging', spec)),
  ];
}

/** Rules that a column suggests; commented out, because they change or leave out rows. */
function rule({ header, profile, target, letter }: ColumnGuess): string[] {
  const from = header === '' ? `column: ${letter}` : `from: ${scalar(header)}`;
  if (
    target === undefined &&
    hintsAtSale(header) &&
    profile.dates > 0 &&
    profile.dates >= profile.filled * 0.5
  ) {
    return [
      `# guess: ${counted(profile.filled, 'row has', 'rows have')} a date of sale`,
      '# conditions:',
      `#   - { when: { ${from}, filled: true }, set: { status: sold } }`,
    ];
  }
  return [];
}

function examplesOf({ profile }: ColumnGuess): string {
  const shown = profile.examples.map((text) => JSON.stringify(cut(text).slice(0, 40)));
  return shown.length === 0 ? '' : ` (${shown.join(', ')})`;
}

function entry(target: string, spec: ColumnOptions): string {
  return `  ${scalar(target)}: ${flow(spec)}`;
}

function commented(line: string): string {
  return line.replace(/^ {2}/, '  # ');
}

/** One line of YAML, however long. */
function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trim();
}

function scalar(text: string): string {
  return stringify(text, { lineWidth: 0, defaultStringType: 'PLAIN' }).trim();
}

/**
 * Proposes the field of each column of a file, from its header and its values, with a confidence and a reason. Used by
 * `template infer`, which prints the result, and by an import without a template, which uses certain columns and asks
 * about likely ones. Pure.
 *
 * Each field scores each column, and the best pair is taken first; where columns compete, nothing is certain.
 */
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import { fieldOfHeader, findCurrency, fixedColumns } from '../columns/columns.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import { fold } from '../fold.ts';
import { isOwnExport, isResultsFile } from '../../sheets/own-headers.ts';
import type { ColumnUse, MappingOptions } from '../mapping.ts';
import { findSynonyms, findValuePhrase, isNumberHeader, type Synonym } from '../synonyms.ts';
import type { ColumnOptions } from '../template/template-column.ts';
import { type ColumnGuess, type Confidence, type Inference, shareOf } from './column-guess.ts';
import { type ColumnProfile, profileColumn } from './column-profile.ts';
import {
  type HintedField,
  hintsAt,
  hintsAtMoney,
  isArtist,
  isNoMoney,
  isOfDrawings,
  isOtherMatter,
  isOwnership,
  isRuledOut,
} from './header-hints.ts';
import { findNumbered, type Numbered } from './numbered-titles.ts';
import { isWordField } from '../word-lists.ts';
import {
  type Fit,
  FITS,
  hasWordsOf,
  isKnownWord,
  MIN_SHARE,
  type Strength,
  STRENGTHS,
} from './judge-column.ts';

/**
 * Number of rows that inference examines: more rows do not make it more certain, and files of any size take the same
 * time.
 */
export const SAMPLE_ROWS = 1000;

interface Candidate {
  column: ColumnGuess;
  field: HintedField;
  strength: Strength;
  score: number;
  confidence: Confidence;
  reason: Message;
  options?: ColumnOptions;
}

interface FileFacts {
  trusted: boolean;
  mode: MappingOptions['mode'];
  /** A column whose words do not fit its field is kept as a custom field. */
  likely: boolean;
  numbered: Numbered | undefined;
  isDrawn: boolean;
  /** Folded headers such as `set`, if there is a column `set_name` and another column holds the names of the items. */
  setNames: ReadonlySet<string>;
  /** Rows of the sample. */
  rows: number;
}

/**
 * Infers all columns from headers and sample.
 *
 * @param rows the first rows of the file, at most SAMPLE_ROWS
 * @throws UsageError like chooseColumns, for flags that do not name a column
 */
export function inferColumns(options: MappingOptions, rows: readonly (readonly Cell[])[]): Inference {
  const fixed = fixedColumns(options);
  const times = Map.groupBy(fixed.uses, ({ header }) => fold(header));
  const columns: ColumnGuess[] = fixed.uses.map((use, index) => ({
    ...byFlag(use, index, profileColumn(rows, index, use.header)),
    isAlone: times.get(fold(use.header))?.length === 1,
  }));
  const taken = new Set([
    ...fixed.sources.map(({ target }) => (target === 'collection_id' ? 'collection' : target)),
    ...Object.keys(options.map),
  ]);
  const free = columns.filter(({ reason }) => reason.code === 'not_known');
  for (const column of free) if (isSecret(column)) column.reason = message('looks_secret', {});
  const isCurrency = ({ header }: ColumnGuess) => findCurrency([header], '') === 0;
  const open = free.filter(
    (column) => column.reason.code === 'not_known' && !(isCurrency(column) && isUnits(column)),
  );
  // shelflift's own files have known headers, so their cells need not confirm them.
  const trusted = isOwnExport(options.headers) || isResultsFile(options.headers);
  const numbered = trusted || taken.has('name') ? undefined : findNumbered(open, rows);
  const isDrawn = columns.some(({ header }) => isOfDrawings(header));
  const isNamed = open.some(({ header }) => isKnownWord(strengthOf(header, 'name').strength));
  const facts: FileFacts = {
    trusted,
    mode: options.mode,
    likely: options.likely === true,
    numbered,
    isDrawn,
    setNames: new Set(
      isNamed ? open.flatMap(({ header }) => /^(.+)[ _-]name$/i.exec(header)?.[1] ?? []).map(fold) : [],
    ),
    rows: rows.length,
  };
  const candidates = FIELDS.flatMap((field) => {
    const found = open.flatMap((column) => candidate(column, field, facts));
    // Only a create needs a name; an update would rename its items.
    const named = options.mode === 'create' && options.defaults['name'] === undefined;
    const possible =
      field === 'name' && !named
        ? found.filter(({ strength }) => strength !== 'none' && strength !== 'hint')
        : found;
    return withRivals(field, field === 'name' ? withoutRepeats(possible, rows) : possible, columns);
  });
  candidates.sort((a, b) => b.score - a.score);
  for (const each of candidates) {
    if (each.column === numbered?.issue) continue;
    if (each.column.target !== undefined || taken.has(each.field)) continue;
    propose(each.column, each);
    if (isOnly(each, candidates)) each.column.isOnly = true;
    if (each.confidence !== 'guess') taken.add(each.field);
  }
  if (numbered?.title.target === 'name')
    takePart(numbered.issue, numbered.title, message('together_with', { header: numbered.title.header }));
  takeId(open, options, taken);
  takeCurrency(columns, free);
  // A column with the currency of coins, not of amounts, which its header alone does not show.
  for (const column of open)
    if (column.target === undefined && isCurrency(column)) {
      column.target = CUSTOM_PREFIX + column.header;
      column.confidence = 'certain';
    }
  const rest = open.filter((column) => column.target === undefined && column.profile.filled > 0);
  inferForSale(rest, taken);
  inferTicked(rest.filter((column) => column.target === undefined));
  return { columns, rows: rows.length };
}

/** Some barcodes look like numbers of payment cards, so one or two matches prove nothing. */
const MIN_SECRETS = 3;
const NEARLY_ALL = 0.9;

function isSecret({ profile: { filled, secrets, texts } }: ColumnGuess): boolean {
  const enough = texts > 0 ? 1 : MIN_SECRETS;
  return secrets >= enough && secrets >= filled * NEARLY_ALL;
}

function byFlag(use: ColumnUse, index: number, profile: ColumnProfile): Omit<ColumnGuess, 'isAlone'> {
  const { header, letter, target, reason } = use;
  const known = { index, header, letter, profile, reason };
  return target === undefined ? known : { ...known, target, confidence: 'certain', byFlag: true };
}

/** Without the columns that nearly repeat an earlier column in each row: `Name` and `Name (plain)`. */
function withoutRepeats(candidates: Candidate[], rows: readonly (readonly Cell[])[]): Candidate[] {
  const repeats = ({ index }: ColumnGuess, { index: before }: ColumnGuess) =>
    rows.filter((cells) => cellText(cells[index] ?? null) === cellText(cells[before] ?? null)).length >=
    rows.length * NEARLY_ALL;
  return candidates.filter(
    ({ column, strength }, at) =>
      !candidates.slice(0, at).some((first) => first.strength === strength && repeats(column, first.column)),
  );
}

/**
 * Whether no other column is as likely to be the name; if its header says so, whether no other column can be the name
 * at all.
 */
function isOnly(chosen: Candidate, candidates: readonly Candidate[]): boolean {
  const { answers, filled } = chosen.column.profile;
  if (chosen.field !== 'name' || chosen.reason.code === 'rival' || answers === filled) return false;
  const rank = isKnownWord(chosen.strength) ? 0 : STRENGTHS.indexOf(chosen.strength);
  return !candidates.some(
    ({ field, column, strength }) =>
      field === 'name' &&
      column !== chosen.column &&
      column.target === undefined &&
      STRENGTHS.indexOf(strength) >= rank,
  );
}

function propose(column: ColumnGuess, { field, confidence, reason, options }: Candidate): void {
  // Only the header distinguishes the id of a collection from its name.
  column.target =
    field === 'collection' && fieldOfHeader(column.header) === 'collection_id' ? 'collection_id' : field;
  column.confidence = confidence;
  column.reason = reason;
  if (options !== undefined) column.options = options;
}

function candidate(column: ColumnGuess, field: HintedField, file: FileFacts): Candidate[] {
  const { strength, word } = strengthOf(column.header, field);
  const isKnown = isKnownWord(strength);
  if (file.trusted && !isKnown) return [];
  // A file of changes is often one of our exports, reduced to some columns.
  const trusted = file.trusted || (file.mode !== 'create' && strength === 'exact');
  const { filled } = column.profile;
  if (filled === 0 && !isKnown) return [];
  if (field !== 'name' && column === file.numbered?.title) return [];
  // Beside a `set_name`, `set` is its code.
  if (field === 'series' && strength !== 'exact' && file.setNames.has(fold(column.header))) return [];
  // The artist of a comic or card drew it.
  if (field === 'brand' && file.isDrawn && isArtist(column.header)) return [];
  const isNumbered = field === 'name' && column === file.numbered?.title;
  const fit = isNumbered
    ? file.numbered?.fit
    : trusted || filled === 0
      ? SURE
      : FITS[field](column, strength, file.rows);
  if (fit === undefined) return [];
  if (
    file.likely &&
    !trusted &&
    !isContractWord(column.header, field) &&
    isWordField(field) &&
    filled > 0 &&
    fit.options === undefined
  ) {
    const fits = hasWordsOf(field, column.profile);
    if (!fits && (isKnown || word !== undefined)) column.unfit ??= field;
    if (!fits) return [];
  }
  // "Name" and "Title" both say what an item is called.
  const claim = field === 'name' && strength === 'exact' && !trusted ? 'strong' : strength;
  const named =
    strength === 'exact' ? message('by_name', {}) : word && message('by_synonym', { word: word.word });
  const rank = word === undefined ? 0 : word.rank / 1000;
  return [
    {
      column,
      field,
      strength: claim,
      score: 10 * STRENGTHS.indexOf(claim) + fit.share - rank - column.index / 1e6 - (filled === 0 ? 15 : 0),
      confidence: fit.confidence,
      reason: whyFits(named, fit),
      ...(fit.options === undefined ? {} : { options: fit.options }),
    },
  ];
}

/**
 * Whether the header is the contract's own word for the field. A shop's `Status` often means something
 * else.
 */
export function isContractWord(header: string, field: string): boolean {
  return field === 'status' ? header === field : fieldOfHeader(header) === field;
}

const SURE: Fit = { confidence: 'certain', share: 0 };

/** Why a column fits. If the header leaves no doubt, the values are not mentioned. */
function whyFits(named: Message | undefined, { confidence, reason }: Fit): Message {
  if (named === undefined) return reason ?? message('by_values', {});
  return confidence === 'certain' || reason === undefined
    ? named
    : message('both', { first: named, second: reason });
}

function strengthOf(header: string, field: HintedField): { strength: Strength; word?: Synonym } {
  const exact = fieldOfHeader(header);
  if (exact === field || (field === 'collection' && exact === 'collection_id')) return { strength: 'exact' };
  const word =
    findSynonyms(header).find((synonym) => synonym.field === field) ??
    (field === 'estimated_value' && !isRuledOut(header, field) ? findValuePhrase(header) : undefined);
  if (word !== undefined) return { strength: word.safety, word };
  if (header === '' || isNumberHeader(header) || !hintsAt(header, field)) return { strength: 'none' };
  return { strength: 'hint' };
}

/** Lowers the confidence if two columns fit one field equally well, or if there are two amounts of money. */
function withRivals(
  field: HintedField,
  candidates: Candidate[],
  columns: readonly ColumnGuess[],
): Candidate[] {
  const [best, second] = [...candidates].sort((a, b) => b.score - a.score);
  if (best?.confidence !== 'certain') return candidates;
  const rival =
    second !== undefined && competes(second, best) && second.column.profile.filled > 0
      ? second.column
      : field === 'estimated_value' && best.strength !== 'exact'
        ? columns.find((column) => column !== best.column && isMoney(column) && !yields(column, best))
        : undefined;
  if (rival === undefined) return candidates;
  const { header, letter: column } = rival;
  const reason = message('rival', { what: best.reason, header, column, field });
  return candidates.map((each) => (each === best ? { ...each, confidence: 'likely', reason } : each));
}

/**
 * A usual word is certain only if no other header points to the field: next to `Diecast Brand`, `Make` is
 * the make of the car.
 */
function competes({ strength }: Candidate, best: Candidate): boolean {
  return strength === best.strength || (best.strength === 'usual' && strength !== 'none');
}

/**
 * The price paid is not the value if there is a column of prices, and no other price is the value if a
 * column is called value.
 */
function yields({ header }: ColumnGuess, best: Candidate): boolean {
  return isOtherMatter(header) || (best.strength === 'strong' && isRuledOut(header, 'estimated_value'));
}

function isMoney({ header, profile }: ColumnGuess): boolean {
  const { filled, amounts, currencies } = profile;
  if (filled === 0 || isNumberHeader(header)) return false;
  return (
    currencies / filled >= 0.5 ||
    (hintsAtMoney(header) && !isNoMoney(header) && amounts / filled >= MIN_SHARE)
  );
}

function isUnits({ profile: { filled, units } }: ColumnGuess): boolean {
  return filled === units;
}

/** Uses the currency column like chooseColumns, but only if all its cells are currencies. */
function takeCurrency(columns: readonly ColumnGuess[], free: readonly ColumnGuess[]): void {
  const value = columns.find(
    ({ target, confidence }) => target === 'estimated_value' && confidence !== 'guess',
  );
  if (value === undefined) return;
  const units = free.filter((column) => column.target === undefined && isUnits(column));
  const column =
    units[
      findCurrency(
        units.map(({ header }) => header),
        value.header,
      )
    ];
  if (column === undefined) return;
  takePart(column, value, message('currency_of', { header: value.header }));
}

function takePart(column: ColumnGuess, { target = '' }: ColumnGuess, reason: Message): void {
  Object.assign(column, {
    target,
    confidence: 'certain',
    reason,
    isPart: true,
  } satisfies Partial<ColumnGuess>);
}

const FIELDS: readonly HintedField[] = [
  'name',
  'condition',
  'packaging',
  'status',
  'release_year',
  'estimated_value',
  'brand',
  'series',
  'tags',
  'collection',
];

/** Uses the id column, by which updates find their items. */
function takeId(open: ColumnGuess[], { mode, match }: MappingOptions, taken: Set<string>): void {
  const byWord = (column: ColumnGuess) => findSynonyms(column.header).some(({ field }) => field === 'id');
  const column =
    open.find(({ header }) => header.toLowerCase() === 'id') ??
    open.find((each) => byWord(each) && !taken.has('id'));
  if (column === undefined || taken.has('id')) return;
  // Another key finds the items, and no cell is an id of the service: these are the numbers of another program.
  const { filled, ids } = column.profile;
  const isOther = filled > 0 && ids === 0 && match.length > 0 && !match.includes('id');
  if (mode === 'create' || isOther) column.reason = message('ids_are_given', {});
  else Object.assign(column, { target: 'id', confidence: 'certain', reason: message('by_name', {}) });
}

/** `For sale? yes` is a status if no other column gives one. */
function inferForSale(open: ColumnGuess[], taken: Set<string>): void {
  if (taken.has('status')) return;
  const column = open.find(
    ({ header, profile }) => hintsAt(header, 'status') && profile.answers === profile.filled,
  );
  if (column === undefined) return;
  column.target = 'status';
  column.confidence = 'guess';
  column.reason = shareOf(column, column.profile.answers, 'yes_or_no');
  column.options = { yes: 'sell', no: 'keep' };
}

/** These letters are ambiguous alone: no, oui and sí, or new, old and small. */
const AMBIGUOUS_ANSWER = /^[nos]$/iu;

/**
 * Each of several adjacent columns of ticks becomes a tag. (0 and 1 do not count, because programs write them for many
 * purposes.)
 */
function inferTicked(open: ColumnGuess[]): void {
  const ticked = open.filter(({ profile, header }) => {
    if (header === '' || hintsAt(header, 'status') || isOwnership(header)) return false;
    const isAnswered = profile.answers === profile.filled && profile.distinct <= 2 && profile.flags === 0;
    return isAnswered && !profile.examples.every((text) => AMBIGUOUS_ANSWER.test(text));
  });
  const isSure = ticked.length >= 2 && ticked.every(({ profile }) => profile.refusals === 0);
  for (const column of ticked) {
    column.target = 'tags';
    column.confidence = isSure ? 'likely' : 'guess';
    column.reason = message('ticked', { cells: column.profile.filled });
    column.ticked = true;
  }
}

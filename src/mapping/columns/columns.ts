/**
 * Decides the use of each column, in this order: `_` columns are our own and never data; `--map`; the template; exact
 * field names; the custom fields of `--match`; synonyms; and, if requested, custom fields for the rest. Remaining
 * columns are ignored, each with a reason.
 */
import { byHand, message } from '../../messages/message.ts';
import type { Message, SetOption } from '../../messages/params.ts';
import { UsageError } from '../../base/errors.ts';
import {
  findColumns,
  findHeader,
  findLetter,
  findPlace,
  type HeaderRow,
  columnsAre,
  mapField,
} from './find-column.ts';
import { looksLikeIds } from '../casts/custom-field.ts';
import { fold } from '../fold.ts';
import { isMappable, isOwnExport } from '../../sheets/own-headers.ts';
import type { ColumnUse, MappingOptions } from '../mapping.ts';
import { placeOfTest } from './row-tests.ts';
import { findSynonyms, type Synonym } from '../synonyms.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import { isSecretHeader } from '../secrets.ts';
import { isTarget, TARGETS } from '../targets.ts';
import headerWords from '../words/headers.json' with { type: 'json' };
import type { ColumnOptions } from '../template/template-column.ts';
import { testsOf } from '../template/template-rules.ts';
import { columnOptions, hasSource, INFERRED, type Template } from '../template/template.ts';

/** One column that feeds one target. */
interface ColumnSource {
  /** A field, `custom_fields.NAME`, `id`, `collection`, `collection_id` (ids only) or `quantity`. */
  target: string;
  index: number;
  /** All columns, if a template joins several; `index` is the first. */
  joined?: number[];
  /** Options for reading its cells, if no flag or template sets them. */
  options?: ColumnOptions;
}

/** A column in which yes gives a tag. */
export interface TickedColumn {
  index: number;
  tag: string;
}

export interface ColumnChoice {
  uses: ColumnUse[];
  sources: ColumnSource[];
  ticked: TickedColumn[];
}

/**
 * Likely readings that an import takes without asking, because it keeps the original text; a correction of the job
 * undoes each.
 */
const LIKELY: Readonly<Record<string, ColumnOptions>> = {
  condition: { offeredWords: 'take' },
  packaging: { offeredWords: 'take' },
  release_year: { approximate: 'read', outOfRange: 'keep', dates: 'keep' },
};

const NOT_KNOWN = message('not_known', {});
const SECRET = message('looks_secret', {});
const READ_ONLY: ReadonlySet<string> = new Set(['created_at', 'updated_at'].map(fold));
const QUANTITY_WORDS: ReadonlySet<string> = new Set(headerWords.quantity.map(fold));

const CURRENCY_WORDS: ReadonlySet<string> = new Set(headerWords.currency.map(fold));

/** Index of the column that holds the currency of another column's amounts; -1 if there is no such column. */
export function findCurrency(headers: readonly string[], amounts: string): number {
  const own = fold(`${amounts} currency`);
  const folded = headers.map(fold);
  const place = folded.indexOf(own);
  return place === -1 ? folded.findIndex((header) => CURRENCY_WORDS.has(header)) : place;
}

/** Whether the header means a number of pieces. */
export function isQuantityHeader(header: string): boolean {
  return QUANTITY_WORDS.has(fold(header));
}

/** A collection's id and name share one slot, because both identify the collection. */
function slotOf(target: string): string {
  return target === 'collection_id' ? 'collection' : target;
}

/**
 * Chooses the columns. Throws UsageError `duplicate_column`, `unknown_field`, `unknown_column` or `missing_column` if
 * flags, template or headers contradict each other.
 */
export function chooseColumns(options: MappingOptions & { template?: Template }): ColumnChoice {
  const choice = new Chooser(options);
  choice.takeMapped();
  choice.takeTemplate();
  const guess = options.template?.guess !== false;
  // Inference has already read the headers and the values.
  const byHeader = guess && options.template?.name !== INFERRED;
  if (guess) choice.takeReserved();
  if (byHeader) choice.takeExact();
  choice.takeMatched();
  if (byHeader && !isOwnExport(options.headers)) choice.takeSynonyms();
  choice.takeCurrency();
  choice.takeUnknown();
  return choice.result();
}

/**
 * Only the columns that flags and reserved headers decide, before headers or values are interpreted; the others are
 * NOT_KNOWN.
 */
export function fixedColumns(options: MappingOptions): ColumnChoice {
  const choice = new Chooser(options);
  choice.takeMapped();
  choice.takeReserved();
  choice.takeMatched();
  choice.takeUnknown();
  return choice.result();
}

/** The field whose exact name the header is, ignoring case. Never `quantity`, which needs a flag or a template. */
export function fieldOfHeader(header: string): string | undefined {
  const target = fold(header) === 'estimatedvalue' ? 'estimated_value' : header.toLowerCase();
  const isField = isTarget(target) && !target.startsWith(CUSTOM_PREFIX) && target !== 'quantity';
  return isField ? target : undefined;
}

/** The option that makes an item of each piece in a column of quantities. */
function howToCopy(header: string): SetOption[] {
  if (!isQuantityHeader(header)) return [];
  const label = message('to_make_copies', {});
  return [{ do: 'setOption', option: 'map', value: `quantity=${header}`, label }];
}

class Chooser {
  readonly #options: MappingOptions & { template?: Template };
  readonly #table: HeaderRow;
  readonly #sources: ColumnSource[] = [];
  readonly #ticked: TickedColumn[] = [];
  /** Slot → the column that fills it; -1 if the template sets a constant. */
  readonly #taken = new Map<string, number>();
  readonly #reasons: (Message | undefined)[];
  /**
   * Columns whose field is already taken by another column, with the reason; they are kept or left out like any
   * unmapped column.
   */
  readonly #lost = new Map<number, Message>();

  /** The file has the contract's own values. */
  readonly #isExact: boolean;

  constructor(options: MappingOptions & { template?: Template }) {
    this.#options = options;
    this.#isExact = isOwnExport(options.headers) || options.format === 'fields';
    this.#table = { headers: options.headers, letters: options.letters };
    this.#reasons = options.headers.map((header) =>
      header.startsWith('_') ? message('own_column', {}) : undefined,
    );
    for (const target of Object.keys(options.template?.constants ?? {})) this.#taken.set(slotOf(target), -1);
  }

  takeMapped(): void {
    for (const [target, column] of Object.entries(this.#options.map)) {
      if (!isTarget(target)) {
        const pair = `${target}=${column}`;
        throw new UsageError('unknown_field', message('map_to_no_field', { pair, field: target }), {
          actions: [byHand('fields_are', { fields: [...TARGETS, `${CUSTOM_PREFIX}NAME`] })],
        });
      }
      const index = findHeader(this.#table, column) ?? findLetter(this.#table, column);
      if (index === undefined || !isMappable(this.#options.headers[index], target)) {
        const pair = `${target}=${column}`;
        const said =
          index === undefined ? message('map_no_column', { pair }) : message('map_own_column', { pair });
        throw new UsageError('unknown_column', said, { actions: [columnsAre(this.#table)] });
      }
      if (target === 'id' && this.#options.mode === 'create') this.#ignore(index, ID_IN_CREATE);
      else this.#claim(index, target, message('by_person', {}));
    }
  }

  takeTemplate(): void {
    const { template } = this.#options;
    if (template === undefined) return;
    for (const name of template.ignore ?? []) {
      for (const index of findColumns(this.#table, name)) {
        this.#ignore(index, template.name === INFERRED ? SECRET : message('template_ignores', {}));
      }
    }
    for (const target of Object.keys(template.columns)) {
      const spec = columnOptions(template, target);
      if (spec.ticked !== undefined) this.#takeTicked(spec.ticked);
      if (this.#taken.has(slotOf(target)) || (spec.ticked !== undefined && !hasSource(spec))) continue;
      const indexes = this.#placesOf(spec);
      const [index] = indexes;
      if (spec.required === true && indexes.length < (spec.join?.length ?? 1)) {
        throw this.#missing(target, [spec.join ?? spec.from ?? String(spec.column ?? target)].flat(2));
      }
      if (index === undefined) continue;
      if (spec.onlyForMatch === true && !this.#options.match.includes(target)) {
        this.#ignore(index, message('only_for_match', {}));
        continue;
      }
      if (target === 'id' && this.#options.mode === 'create') this.#ignore(index, ID_IN_CREATE);
      else
        this.#claim(
          index,
          target,
          template.name === INFERRED
            ? inferredBy(this.#options.headers[index] ?? '', target)
            : message('from_template', {}),
          spec.join === undefined ? undefined : indexes,
        );
    }
  }

  /** The columns named by a template's entry that the file has. */
  #placesOf(spec: ColumnOptions): number[] {
    if (spec.join === undefined) return [findPlace(this.#table, spec.from, spec.column)].filter(isPlace);
    return spec.join.map((headers) => findPlace(this.#table, headers, undefined)).filter(isPlace);
  }

  #takeTicked(ticked: NonNullable<ColumnOptions['ticked']>): void {
    const pairs = Array.isArray(ticked) ? ticked.map((header) => [header, header]) : Object.entries(ticked);
    for (const [header = '', tag = ''] of pairs) {
      const index = findHeader(this.#table, header) ?? findLetter(this.#table, header);
      if (index === undefined || this.#options.headers[index]?.startsWith('_') === true) continue;
      this.#ticked.push({ index, tag });
      this.#reasons[index] ??= message('template_ticked', {});
    }
  }

  /** Takes headers that need no interpretation: read-only fields, ids, and custom fields by name. */
  takeReserved(): void {
    const keys = new Set<string>();
    this.#eachFree((index, header) => {
      const isWritten = header !== 'object' && !READ_ONLY.has(fold(header));
      if (!isWritten || (header === 'currency' && this.#isExact))
        this.#ignore(index, message('read_only', {}));
      else if (header.toLowerCase() === 'id' && this.#options.mode === 'create') {
        if (!this.#keepsIds) this.#ignore(index, ID_IN_CREATE);
      } else if (header === `${CUSTOM_PREFIX}__proto__`) {
        this.#ignore(index, message('bad_custom_key', {}));
      } else if (header.startsWith(CUSTOM_PREFIX)) {
        if (keys.has(header)) throw this.#duplicate(index, header, header);
        if (this.#claimIfFree(index, header, message('by_name', {}))) keys.add(header);
      }
    });
  }

  /** An id of another program is an inventory number: kept like any other column. */
  get #keepsIds(): boolean {
    return this.#options.likely === true && this.#options.keepUnknown === 'unasked';
  }

  takeExact(): void {
    const exact = new Set<string>();
    // The collection's id is more certain than its name, wherever it is.
    const preferId = this.#options.headers.some((header) => header.toLowerCase() === 'collection_id');
    this.#eachFree((index, header) => {
      const target = fieldOfHeader(header);
      if (target === undefined || (target === 'id' && this.#options.mode === 'create')) return;
      if (target === 'collection' && preferId) return;
      if (exact.has(target)) throw this.#duplicate(index, header, target);
      if (this.#compete(index, target, message('by_name', {}))) exact.add(target);
    });
  }

  takeMatched(): void {
    for (const target of this.#options.match) {
      if (!target.startsWith(CUSTOM_PREFIX) || this.#taken.has(target)) continue;
      const name = fold(target.slice(CUSTOM_PREFIX.length));
      this.#eachFree((index, header) => {
        if (fold(header) === name) this.#claimIfFree(index, target, message('by_match', {}));
      });
    }
  }

  /** With a template, values are not examined, so only words that are safe without them count. */
  takeSynonyms(): void {
    const found: { index: number; synonym: Synonym }[] = [];
    this.#eachFree((index, header) => {
      const synonym = findSynonyms(header).find(({ safety }) => safety !== 'weak');
      if (synonym !== undefined) found.push({ index, synonym });
    });
    found.sort((a, b) => a.synonym.rank - b.synonym.rank);
    for (const { index, synonym } of found) {
      if (synonym.field === 'id' && this.#options.mode === 'create') {
        if (!this.#keepsIds) this.#ignore(index, ID_IN_CREATE);
      } else this.#compete(index, synonym.field, message('by_synonym', { word: synonym.word }));
    }
  }

  /** The currency next to each amount counts as a sign in the amount's cell. */
  takeCurrency(): void {
    const value = this.#sources.find(({ target }) => target === 'estimated_value');
    const { join, pattern } = columnOptions(this.#options.template, 'estimated_value');
    if (value === undefined || join !== undefined || pattern !== undefined || this.#isExact) return;
    const { headers } = this.#options;
    const free = headers.map((header, index) => (this.#reasons[index] === undefined ? header : ''));
    const index = findCurrency(free, headers[value.index] ?? '');
    if (index === -1) return;
    value.joined = [value.index, index];
    value.options = { join: value.joined.map((at) => headers[at] ?? ''), with: ' ' };
    this.#reasons[index] = message('currency_of', { header: headers[value.index] ?? '' });
  }

  takeUnknown(): void {
    const { template } = this.#options;
    const looks = [
      ...(template?.skip ?? []).map((when) => ({ when, reason: message('template_skips_rows', {}) })),
      ...(template?.conditions ?? []).map(({ when, set }) => ({
        when,
        reason: message('template_decides', { fields: Object.keys(set) }),
      })),
    ];
    for (const { when, reason } of looks) {
      for (const test of testsOf(when)) {
        const index = placeOfTest(test, this.#table);
        if (index !== undefined) this.#ignore(index, reason);
      }
    }
    const listed = Array.isArray(template?.keepUnknown) ? new Set(template.keepUnknown.map(fold)) : undefined;
    const { keepUnknown, likely } = this.#options;
    const keepAll = keepUnknown === true || template?.keepUnknown === true;
    const keeps = (header: string) =>
      keepAll ||
      (keepUnknown === 'unasked' && (likely === true || !isQuantityHeader(header))) ||
      listed?.has(fold(header)) === true;
    this.#eachFree((index, header) => {
      const letter = this.#options.letters[index] ?? '';
      if (isSecretHeader(header)) this.#ignore(index, SECRET);
      else if (header !== '__proto__' && keeps(header)) {
        // Columns with the same header are all kept: after the first, the key also has the letter.
        const key = CUSTOM_PREFIX + (header === '' ? letter : header);
        this.#claimIfFree(
          index,
          this.#taken.has(key) ? `${key} (${letter})` : key,
          message('kept', {}, ...howToCopy(header)),
        );
      } else if (header === '') this.#ignore(index, message('without_header', {}));
      else if (isQuantityHeader(header))
        this.#ignore(index, message('quantity_unused', {}, ...howToCopy(header)));
      else {
        const why = template?.name === INFERRED ? this.#whyLeftOut(header) : NOT_KNOWN;
        this.#ignore(index, this.#lost.get(index) ?? why);
      }
    });
  }

  result(): ColumnChoice {
    if (this.#options.likely === true && !this.#isExact)
      for (const source of this.#sources) {
        const fillers = source.target === 'name' ? { fillers: this.#options.repeated ?? {} } : {};
        source.options = { ...fillers, ...LIKELY[source.target], ...source.options };
      }
    const fed = this.#sources.flatMap(({ target, index, joined = [index] }) =>
      joined.map((at) => ({ at, target: slotOf(target) })),
    );
    const targetsAt = Map.groupBy(fed, ({ at }) => at);
    const uses = this.#options.headers.map((header, index): ColumnUse => {
      const targets = (targetsAt.get(index) ?? []).map(({ target }) => target);
      if (this.#ticked.some((each) => each.index === index)) targets.push('tags');
      const use: ColumnUse = {
        header,
        letter: this.#options.letters[index] ?? '',
        reason: this.#reasons[index] ?? NOT_KNOWN,
      };
      if (targets.length > 0) use.target = targets.join(', ');
      return use;
    });
    return { uses, sources: this.#sources, ticked: this.#ticked };
  }

  /** Visits the columns that are neither claimed nor ignored yet, in order. */
  #eachFree(visit: (index: number, header: string) => void): void {
    for (const [index, header] of this.#options.headers.entries()) {
      if (this.#reasons[index] === undefined) visit(index, header);
    }
  }

  #claim(index: number, target: string, reason: Message, joined?: number[]): void {
    this.#taken.set(slotOf(target), index);
    // An id that nobody requested is no reason to refuse its row.
    const isId = reason.code === 'kept' && looksLikeIds(this.#options.headers[index] ?? '');
    this.#sources.push({
      target,
      index,
      ...(joined === undefined ? {} : { joined }),
      ...(isId ? { options: { lostDigits: 'keep' } } : {}),
    });
    for (const each of joined ?? [index]) this.#reasons[each] ??= reason;
  }

  #claimIfFree(index: number, target: string, reason: Message): boolean {
    const owner = this.#taken.get(slotOf(target));
    if (owner === undefined) {
      this.#claim(index, target, reason);
      return true;
    }
    this.#ignore(index, this.#whyTaken(target, owner));
    return false;
  }

  /** As claimIfFree, but a column whose field another column has stays free. */
  #compete(index: number, target: string, reason: Message): boolean {
    const owner = this.#taken.get(slotOf(target)) ?? -1;
    if (owner === -1) return this.#claimIfFree(index, target, reason);
    this.#lost.set(index, this.#whyTaken(target, owner));
    return false;
  }

  #whyTaken(target: string, owner: number): Message {
    const field = slotOf(target);
    return owner === -1
      ? message('field_from_template', { field })
      : message('field_from_other', { field, column: this.#options.letters[owner] ?? '' });
  }

  /**
   * Why a column whose header names a field is left out: another column fits better, or the values do not fit the
   * field.
   */
  #whyLeftOut(header: string): Message {
    const synonym = findSynonyms(header).find(({ safety }) => safety !== 'weak');
    const field = fieldOfHeader(header) ?? synonym?.field;
    if (field === undefined) return NOT_KNOWN;
    const owner = this.#options.letters[this.#taken.get(slotOf(field)) ?? -1];
    return owner === undefined
      ? message('values_contradict', {})
      : message('field_from_other', { field, column: owner });
  }

  #ignore(index: number, reason: Message): void {
    this.#reasons[index] ??= reason;
  }

  #duplicate(index: number, header: string, target: string): UsageError {
    const { letters } = this.#options;
    const columns = [letters[this.#taken.get(slotOf(target)) ?? -1] ?? '', letters[index] ?? ''];
    return new UsageError('duplicate_column', message('duplicate_column', { columns, header }), {
      actions: columns.map((letter) => mapField(target, letter)),
    });
  }

  #missing(target: string, candidates: string[]): UsageError {
    const template = this.#options.template?.name ?? '';
    const said = message('template_requires_column', { template, field: target, candidates });
    return new UsageError('missing_column', said, {
      actions: [columnsAre(this.#table), mapField(target, 'HEADER')],
    });
  }
}

/** The reason for which inference chose a column. */
function inferredBy(header: string, target: string): Message {
  if (fieldOfHeader(header) === target) return message('by_name', {});
  const synonym = findSynonyms(header).find(({ field }) => field === target);
  return synonym === undefined ? message('by_values', {}) : message('by_synonym', { word: synonym.word });
}

function isPlace(index: number | undefined): index is number {
  return index !== undefined;
}

const ID_IN_CREATE = message('ids_are_given', {});

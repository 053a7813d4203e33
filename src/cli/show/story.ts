/** The history of an item (`shelflift why`), in words and as JSON. */
import { english } from '../../messages/message.ts';
import { basename } from 'node:path';
import { counted } from '../../base/counted.ts';
import { saidOf } from '../../base/errors.ts';
import { say } from './say.ts';
import type { Explained } from '../../import/history/explain-item.ts';
import type { FieldOrigin, StoryEntry } from '../../import/history/item-story.ts';
import { changeText, cut, word } from './plan-words.ts';
import { oneLine, table, wrapped } from './words.ts';
import { defined } from '../../base/defined.ts';

/** @param width characters of a line */
export function storyText(explained: Explained, width: number): string {
  const { item, name, fields, story } = explained;
  const lines = [`item ${item}${name === undefined ? '' : `: ${cut(name)}`}`, `  ${readText(explained)}`];
  if (fields.length > 0) {
    // An item has many fields that nobody ever filled in.
    const isShown = ({ origin, value }: FieldOrigin) => origin !== 'not_sent' || value !== null;
    const rows = fields
      .filter(isShown)
      .map((field) => [
        `  ${field.field}`,
        field.value === undefined && !isKnown(field) ? '?' : cut(word(field.field, field.value)),
        originText(field),
      ]);
    lines.push('', table([['  FIELD', 'VALUE', 'WHY'], ...rows]));
    const blank = fields.filter((field) => !isShown(field)).map(({ field }) => field);
    if (blank.length > 0) lines.push(`  blank, and never set by this store: ${blank.join(', ')}`);
  }
  lines.push('', story.length === 0 ? 'No job of this store has touched it.' : 'STORY');
  for (const entry of story) lines.push(...entryText(entry).map((line) => wrapped(line, width)));
  return lines.join('\n');
}

function readText({ current, notRead }: Explained): string {
  if (current === null) return 'The API has no such item any more; values are what this store set last.';
  if (current !== undefined) return 'Values are what the API has now.';
  const why = notRead === undefined ? '' : ` (not read now: ${oneLine(notRead).replace(/\.$/, '')})`;
  return `Values are what this store set last${why}.`;
}

/** False if the value is not known, as opposed to an absent custom field. */
function isKnown({ origin }: FieldOrigin): boolean {
  return origin === 'set' || origin === 'elsewhere';
}

function originText({ field, origin, by, was }: FieldOrigin): string {
  const place = by === undefined ? '' : placeText(by);
  switch (origin) {
    case 'set': {
      const cell = by?.cells[field];
      const from = cell === undefined ? '' : `, column ${cut(cell.column)}: ${cut(cell.text)}`;
      return `${by === undefined ? '' : verb(by)} ${place}${from}${requestText(by)}`;
    }
    case 'perhaps':
      return `perhaps ${place}, whose request was not answered`;
    case 'elsewhere':
      return `changed elsewhere; ${place} set it to ${cut(word(field, was))}`;
    case 'pruned':
      return `not known: the values of ${place} were pruned on ${day(by?.prunedAt)}`;
    case 'not_sent':
      return `not by this store: ${place} created the item without it`;
    default:
      return 'not by this store: no job wrote it';
  }
}

function verb({ kind, effect }: StoryEntry): string {
  if (effect === 'created') return 'created by';
  return kind === 'undo' ? 'undone by' : 'set by';
}

/** `row 7 of toys.csv (job 261122-ab12)` */
function placeText({ kind, file, sheet, row, request, undoes, job }: StoryEntry): string {
  if (kind === 'undo') return `the undo of job ${undoes ?? ''} (job ${job})`;
  const of = sheet === undefined ? '' : `, sheet ${cut(sheet)}`;
  const place = file === undefined ? '' : `row ${row} of ${cut(basename(file))}${of}`;
  const asked = request === undefined ? '' : `"set ${cut(request)}"`;
  return `${[place, asked].filter((part) => part !== '').join(', ')} (job ${job})`;
}

function requestText(entry: StoryEntry | undefined): string {
  if (entry === undefined) return '';
  return entry.requestId === null ? ', found by looking it up' : `, request ${oneLine(entry.requestId)}`;
}

const EFFECTS: Record<StoryEntry['effect'], string> = {
  created: 'created the item',
  changed: 'changed it',
  perhaps: 'may have changed it: the request was not answered',
  none: 'changed nothing',
};

function entryText(entry: StoryEntry): string[] {
  const { effect, state, action, attempts, prunedAt, undoneBy, changes, left, notes, issues, requestId } =
    entry;
  const how = [
    effect === 'perhaps' && action === 'create'
      ? 'may have created it: that is not settled'
      : EFFECTS[effect],
    ...(effect === 'none' ? [state] : []),
    ...(requestId === null ? [] : [`request ${oneLine(requestId)}`]),
    ...(attempts > 1 ? [`sent ${counted(attempts, 'time')}`] : []),
    ...(undoneBy === undefined ? [] : [`undone by job ${undoneBy}`]),
    ...(prunedAt === undefined ? [] : [`its values were pruned on ${day(prunedAt)}`]),
  ];
  const lines = [`  ${minute(entry.at)}  ${placeText(entry)}: ${how.join(', ')}`];
  for (const change of changes) {
    const others =
      'lastSet' in change
        ? `, after others had changed it from ${cut(word(change.field, change.lastSet))}`
        : '';
    const text = effect === 'created' ? cut(word(change.field, change.to)) : cut(changeText(change));
    lines.push(`      ${change.field}: ${text}${others}`);
  }
  for (const change of left) lines.push(`      not done: ${change.field}: ${cut(changeText(change))}`);
  for (const note of notes) lines.push(`      note: ${oneLine(english(note))}`);
  for (const issue of issues) lines.push(`      ${state}: ${oneLine(say(saidOf(issue)))}`);
  return lines;
}

/** UTC, like all times of the command line. */
function minute(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}

function day(at: Date | undefined): string {
  return at === undefined ? 'an unknown day' : at.toISOString().slice(0, 10);
}

/** The one object of `--json`. */
export function storyJson({ item, name, current, notRead, fields, story }: Explained): unknown {
  return {
    item,
    name: name ?? null,
    // Whether the values are those of the API now.
    read: current !== undefined && current !== null,
    // Null: the API was not asked, or did not answer.
    exists: current === undefined ? null : current !== null,
    ...(notRead === undefined ? {} : { not_read: notRead }),
    fields: fields.map((field) => ({
      field: field.field,
      value: field.value ?? null,
      origin: field.origin,
      ...('was' in field ? { was: field.was ?? null } : {}),
      ...(field.by === undefined ? {} : { by: placeJson(field.by, field.field) }),
    })),
    story: story.map((entry) => entryJson(entry)),
  };
}

function placeJson(entry: StoryEntry, field?: string): Record<string, unknown> {
  const { job, kind, file, sheet, row, request, undoes, at, requestId } = entry;
  const cell = field === undefined ? undefined : entry.cells[field];
  return {
    job,
    kind,
    ...defined({ file, sheet }),
    row,
    ...(cell === undefined ? {} : { column: cell.column, cell: cell.text }),
    ...defined({ request, undoes }),
    request_id: requestId,
    at: at.toISOString(),
  };
}

function entryJson(entry: StoryEntry): Record<string, unknown> {
  const { action, state, effect, attempts, undoneBy, prunedAt, changes, left, notes, issues } = entry;
  return {
    ...placeJson(entry),
    action,
    state,
    effect,
    attempts,
    changes: changes.map(({ field, from = null, to = null, ...others }) => ({
      field,
      from,
      to,
      ...('lastSet' in others ? { last_set: others.lastSet ?? null } : {}),
    })),
    ...(left.length === 0
      ? {}
      : { not_done: left.map(({ field, from = null, to = null }) => ({ field, from, to })) }),
    ...(undoneBy === undefined ? {} : { undone_by: undoneBy }),
    ...(prunedAt === undefined ? {} : { pruned_at: prunedAt.toISOString() }),
    ...(notes.length === 0 ? {} : { notes: notes.map((note) => english(note)) }),
    ...(issues.length === 0 ? {} : { issues }),
  };
}

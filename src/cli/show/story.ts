/** The history of an item (`shelflift why`), in words and as JSON. */
import { english, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { basename } from 'node:path';
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
  const title = message('item_named', { item, ...(name === undefined ? {} : { name: cut(name) }) });
  const lines = [say(title), `  ${say(readMessage(explained))}`];
  if (fields.length > 0) {
    // An item has many fields that nobody ever filled in.
    const isShown = ({ origin, value }: FieldOrigin) => origin !== 'not_sent' || value !== null;
    const rows = fields
      .filter(isShown)
      .map((field) => [
        `  ${field.field}`,
        field.value === undefined && !isKnown(field) ? '?' : cut(word(field.field, field.value)),
        inParts(originOf(field)),
      ]);
    const [first = '', ...heads] = HEADS.map(say);
    lines.push('', table([[`  ${first}`, ...heads], ...rows]));
    const blank = fields.filter((field) => !isShown(field)).map(({ field }) => field);
    if (blank.length > 0) lines.push(`  ${say(message('blank_and_never_set', { fields: blank }))}`);
  }
  lines.push('', say(message(story.length === 0 ? 'no_job_touched_item' : 'title_story', {})));
  for (const entry of story) lines.push(...entryText(entry).map((line) => wrapped(line, width)));
  return lines.join('\n');
}

const HEADS = [message('head_field', {}), message('head_value', {}), message('head_why', {})];

function readMessage({ current, notReadSaid }: Explained): Message {
  if (current === null) return message('item_gone_values_last', {});
  if (current !== undefined) return message('values_are_current', {});
  return message('values_set_last', notReadSaid === undefined ? {} : { why: notReadSaid });
}

function inParts(parts: readonly Message[]): string {
  return parts.map((part) => oneLine(say(part))).join(', ');
}

/** False if the value is not known, as opposed to an absent custom field. */
function isKnown({ origin }: FieldOrigin): boolean {
  return origin === 'set' || origin === 'elsewhere';
}

function originOf({ field, origin, by, was }: FieldOrigin): Message[] {
  if (by === undefined) return [message('origin_unknown', {})];
  const place = placeOf(by);
  switch (origin) {
    case 'set': {
      const cell = by.cells[field];
      return [
        message(`origin_${howSet(by)}`, { place }),
        ...(cell === undefined
          ? []
          : [message('from_cell', { column: cut(cell.column), text: cut(cell.text) })]),
        by.requestId === null ? message('by_look_up', {}) : message('by_request', { id: by.requestId }),
      ];
    }
    case 'perhaps':
      return [message('origin_perhaps', { place })];
    case 'elsewhere':
      return [message('origin_elsewhere', { place, value: cut(word(field, was)) })];
    case 'pruned':
      return [message('origin_pruned', { place, ...dayOf(by.prunedAt) })];
    case 'not_sent':
      return [message('origin_not_sent', { place })];
    default:
      return [message('origin_unknown', {})];
  }
}

function howSet({ kind, effect }: StoryEntry): 'created' | 'undone' | 'set' {
  if (effect === 'created') return 'created';
  return kind === 'undo' ? 'undone' : 'set';
}

function placeOf({ kind, file, sheet, row, request, undoes, job }: StoryEntry): Message {
  if (kind === 'undo') return message('place_undo', { undone: undoes ?? '', job });
  return message('place_row', {
    job,
    ...(file === undefined ? {} : { row, file: cut(basename(file)) }),
    ...(file === undefined || sheet === undefined ? {} : { sheet: cut(sheet) }),
    ...(request === undefined ? {} : { request: cut(request) }),
  });
}

function effectOf({ effect, action }: StoryEntry): Message {
  return message(
    effect === 'perhaps' && action === 'create' ? 'effect_perhaps_created' : `effect_${effect}`,
    {},
  );
}

function entryText(entry: StoryEntry): string[] {
  const { effect, state, attempts, prunedAt, undoneBy, changes, left, notes, issues, requestId } = entry;
  const how = [
    say(effectOf(entry)),
    ...(effect === 'none' ? [state] : []),
    ...[
      ...(requestId === null ? [] : [message('by_request', { id: requestId })]),
      ...(attempts > 1 ? [message('sent_times', { times: attempts })] : []),
      ...(undoneBy === undefined ? [] : [message('undone_by_job', { job: undoneBy })]),
      ...(prunedAt === undefined ? [] : [message('values_pruned', dayOf(prunedAt))]),
    ].map((each) => oneLine(say(each))),
  ];
  const lines = [`  ${minute(entry.at)}  ${oneLine(say(placeOf(entry)))}: ${how.join(', ')}`];
  for (const change of changes) {
    const others =
      'lastSet' in change
        ? `, ${say(message('others_changed_it', { value: cut(word(change.field, change.lastSet)) }))}`
        : '';
    const text = effect === 'created' ? cut(word(change.field, change.to)) : cut(changeText(change));
    lines.push(`      ${change.field}: ${text}${others}`);
  }
  const labelled = (label: string, text: string) => lines.push(`      ${label}: ${text}`);
  for (const change of left)
    labelled(say(message('label_not_done', {})), `${change.field}: ${cut(changeText(change))}`);
  for (const note of notes) labelled(say(message('label_note', {})), oneLine(say(note)));
  for (const issue of issues) labelled(state, oneLine(say(saidOf(issue))));
  return lines;
}

/** UTC, like all times of the command line. */
function minute(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}

function dayOf(at: Date | undefined): { day?: string } {
  return at === undefined ? {} : { day: at.toISOString().slice(0, 10) };
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

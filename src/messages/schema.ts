/** The schema of stored messages, made from their parameters. */
import { z } from 'zod';
import { type Kind, type Message, type MessageCode, PARAMS } from './params.ts';

const IS: Record<Kind, (value: unknown) => boolean> = {
  count: isNumber,
  number: isNumber,
  ms: isNumber,
  time: isNumber,
  text: isText,
  foreign: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  field: isText,
  message: (value) => isMessage(value),
  messages: (value) => Array.isArray(value) && value.every((each) => isMessage(each)),
  yes: (value) => typeof value === 'boolean',
};

/** Messages of these codes, or of any. */
export function messageSchema(codes?: readonly MessageCode[]): z.ZodType<Message> {
  const allowed = codes === undefined ? undefined : new Set<string>(codes);
  return z.unknown().refine((value) => isMessage(value) && (allowed?.has(value.code) ?? true), {
    error: 'expected a message of this version',
  }) as unknown as z.ZodType<Message>;
}

function isMessage(value: unknown): value is Message {
  if (!isObject(value) || !isText(value['code']) || !Object.hasOwn(PARAMS, value['code'])) return false;
  const { params, actions = [] } = value;
  if (!isObject(params) || !Array.isArray(actions) || !actions.every(isAction)) return false;
  const declared = Object.entries(PARAMS[value['code'] as MessageCode] as Record<string, string>);
  const isWhole = declared.every(([name, kind]) =>
    params[name] === undefined ? kind.endsWith('?') : IS[kind.replace('?', '') as Kind](params[name]),
  );
  return isWhole && Object.keys(params).every((name) => declared.some(([known]) => known === name));
}

function isAction(value: unknown): boolean {
  return isObject(value) && isText(value['do']) && isMessage(value['label']);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

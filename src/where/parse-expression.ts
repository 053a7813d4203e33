/** Text → expression. The whole text is understood, or it is an error that names the place. */
import type { UsageError } from '../errors.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { nearest } from '../nearest.ts';
import {
  badWhere,
  type Expression,
  type FieldTest,
  type Operator,
  printExpression,
  type Value,
} from './expression.ts';
import { COLLECTION_NAME, isItemField, ITEM_FIELDS } from './item-values.ts';

const MOST_CHARACTERS = 10_000;
/** Far more than anybody writes, and far fewer than would overflow the stack. */
const MOST_NESTED = 100;

const SIGNS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=', '~']);
/** Signs of other languages, and ours for them. */
const MEANT: Readonly<Record<string, string>> = {
  '==': '=',
  '===': '=',
  '!==': '!=',
  '<>': '!=',
  '=>': '>=',
  '=<': '<=',
};
const MEANT_BY: Readonly<Record<string, string>> = {
  '&&': ' To join two tests, write "and".',
  '||': ' To join two tests, write "or".',
  ',': ' For several values, write: in (A, B)',
};

/** Where words end that join tests. */
const WORD_END = String.raw`(?=[\s()]|$)`;
const JOIN = new RegExp(String.raw`(?<![^\s)])(?:and|or)${WORD_END}`, 'iu');
const BLANK_END = String.raw`(?=\s*(?:$|\)|(?<=[\s)])(?:and|or)${WORD_END}))`;
const AND = new RegExp(String.raw`\s*and${WORD_END}\s*`, 'iuy');
const OR = new RegExp(String.raw`\s*or${WORD_END}\s*`, 'iuy');
const SPACES = /\s*/uy;
const OPEN = /\s*\(\s*/uy;
const COMMA = /\s*,\s*/uy;
const CLOSE = /\s*\)/uy;

const QUOTED = String.raw`(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)')`;
const QUOTED_VALUE = new RegExp(QUOTED, 'uy');
const QUOTED_FIELD = new RegExp(String.raw`(custom_fields\.)?${QUOTED}`, 'iuy');
const OPERATOR = new RegExp(
  String.raw`\s*(?:([=!<>~]+)|(has)(?=[\s"'])|(in)(?=\s*\()|(not\s+blank|blank)${BLANK_END})\s*`,
  'iuy',
);
/** Where a name without quotes ends: at an operator, or at something that it cannot contain. */
const NAME_END = new RegExp(
  String.raw`[=!<>~(),"']|&&|\|\||(?<=\s)(?:has(?=[\s"'])|in(?=\s*\()|(?:not\s+)?blank${BLANK_END}|(?:and|or)${WORD_END})|$`,
  'iu',
);
/** Anything that could be meant as part of the expression, in a value without quotes. */
const UNCLEAR = /[=<>~(,"'“”„‟‘‚«»]|&&|\|\||(?:^|\s)(?<field>\S+)\s+(?:not\s+)?(?:has|in|blank)(?=\s|$)/giu;
const TYPED_QUOTES = /^["'“”„‟‘’‚«»]+|["'“”„‟‘’‚«»]+$/gu;
const BALANCED = /^[^()]*(?:\([^()]*\)[^()]*)*/u;

/** @throws UsageError `bad_where` */
export function parseExpression(text: string): Expression {
  return new Parser(text).whole();
}

class Parser {
  readonly #text: string;
  #at = 0;
  #nested = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Expression {
    if (this.#text.trim() === '') throw badWhere(this.#text, 'it is empty');
    if (this.#text.length > MOST_CHARACTERS)
      throw badWhere(this.#text, `it is longer than ${MOST_CHARACTERS} characters`);
    this.#takes(SPACES);
    const expression = this.#expression();
    this.#takes(SPACES);
    if (this.#at < this.#text.length) {
      throw this.#bad(
        `"${this.#text.slice(this.#at).trim()}" is not expected`,
        'Join tests with "and" or "or". Quote a value that contains a bracket.',
      );
    }
    return expression;
  }

  #expression(): Expression {
    return this.#joined(OR, () => this.#joined(AND, () => this.#factor(), 'all'), 'any');
  }

  #joined(word: RegExp, part: () => Expression, kind: 'any' | 'all'): Expression {
    const parts = [part()];
    for (let found = this.#takes(word); found !== undefined; found = this.#takes(word)) {
      if (this.#at === this.#text.length) {
        throw this.#bad(`nothing follows "${found[0].trim()}"`, 'Quote a value that ends in this word.');
      }
      parts.push(part());
    }
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return only;
    return kind === 'any' ? { any: parts } : { all: parts };
  }

  #factor(): Expression {
    const start = this.#at;
    if (this.#takes(OPEN) === undefined) return this.#test();
    this.#nested += 1;
    if (this.#nested > MOST_NESTED) throw this.#bad('its brackets are nested too deeply');
    const inner = this.#expression();
    if (this.#takes(CLOSE) === undefined) throw this.#bad('a closing bracket is missing', undefined, start);
    this.#nested -= 1;
    return inner;
  }

  #test(): FieldTest {
    const start = this.#at;
    const field = this.#field();
    const [all = '', signs, has, list, blank] = this.#takes(OPERATOR) ?? [];
    const operator = (signs ?? has ?? list ?? blank ?? '').toLowerCase().replace(/\s+/u, ' ');
    if (operator === '') throw this.#noTest(start);
    if (signs !== undefined && !SIGNS.has(signs)) {
      const meant = MEANT[signs];
      throw this.#bad(
        `"${signs}" is no operator`,
        meant === undefined
          ? 'Expected =, !=, <, <=, >, >=, ~, has, in, blank or not blank. Quote a value that begins with such a sign.'
          : `Write "${meant}".`,
        this.#at - all.trimStart().length,
      );
    }
    const test = { field: this.#known(field, start), operator: operator as Operator };
    if (blank !== undefined) return { ...test, values: [] };
    if (list === undefined) return { ...test, values: [this.#value(test)] };
    this.#takes(OPEN);
    const values = [this.#value(test)];
    while (this.#takes(COMMA) !== undefined) values.push(this.#value(test));
    if (this.#takes(CLOSE) === undefined)
      throw this.#bad('a comma or a closing bracket is missing', 'For example: brand in (Hasbro, "A & B")');
    return { ...test, values };
  }

  #field(): string {
    const quoted = this.#takes(QUOTED_FIELD);
    if (quoted !== undefined) return `${quoted[1] ?? ''}${textIn(quoted[2], quoted[3])}`;
    const rest = this.#text.slice(this.#at);
    const end = NAME_END.exec(rest)?.index ?? rest.length;
    const name = rest.slice(0, end).trim();
    if (name === '') throw this.#noTest(this.#at);
    this.#at += end;
    return name;
  }

  #known(name: string, at: number): string {
    const lower = name.toLowerCase();
    if (lower.startsWith(CUSTOM_PREFIX) && isItemField(lower))
      return CUSTOM_PREFIX + name.slice(CUSTOM_PREFIX.length);
    if (isItemField(lower) && lower !== 'custom_fields') return lower;
    const known = [
      ...ITEM_FIELDS.filter((field) => field !== 'object' && field !== 'custom_fields'),
      COLLECTION_NAME,
    ];
    const near = lower === 'collection' ? COLLECTION_NAME : nearest(lower, known);
    throw this.#bad(
      `an item has no field "${name}"`,
      near === undefined
        ? `Fields are ${known.join(', ')} and ${CUSTOM_PREFIX}NAME.`
        : `Did you mean ${near}? A field of your own is ${CUSTOM_PREFIX}${name}.`,
      at,
    );
  }

  #value(test: { field: string; operator: Operator }): Value {
    const quoted = this.#takes(QUOTED_VALUE);
    if (quoted !== undefined) return { text: textIn(quoted[1], quoted[2]), quoted: true };
    const rest = this.#text.slice(this.#at);
    const line = rest.slice(0, JOIN.exec(rest)?.index ?? rest.length);
    const end = (test.operator === 'in' ? /[),]/u : /\)/u).exec(line)?.index ?? line.length;
    const text = line.slice(0, end).trim();
    for (const { 0: found, index, groups } of text.matchAll(UNCLEAR)) {
      const field = groups?.['field'];
      if (field !== undefined && !isItemField(field.toLowerCase())) continue;
      const whole = (test.operator === 'in' ? text : (BALANCED.exec(line)?.[0] ?? text)).trim();
      throw this.#unclear(test, found.trim(), whole, this.#at + index);
    }
    this.#at += end;
    return { text, quoted: false };
  }

  #unclear(test: Omit<FieldTest, 'values'>, found: string, whole: string, at: number): UsageError {
    const plain = whole.replaceAll(TYPED_QUOTES, '');
    const quoted = printExpression({ ...test, values: [{ text: plain, quoted: true }] });
    const isOpen = at === this.#at && (found === '"' || found === "'");
    return this.#bad(
      isOpen ? 'a quote is not closed' : `a value without quotes cannot contain ${found}`,
      `If it is one value, quote it: ${quoted}${MEANT_BY[found] ?? ''}`,
      at,
    );
  }

  #noTest(at: number): UsageError {
    return this.#bad(
      `"${this.#text.slice(at)}" is not a test: expected a field, an operator and a value`,
      'For example: brand=Hasbro, estimated_value>=50, name~hot rod, tags has boxed, condition blank. Quote a value, or the name of a field of your own, that contains "and", "or", a sign or a quote.',
      at,
    );
  }

  #takes(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  #bad(problem: string, remedy?: string, at = this.#at): UsageError {
    return badWhere(this.#text, problem, { at, remedy });
  }
}

/** Exactly one of them is what a pair of quotes holds. */
function textIn(double: string | undefined, single: string | undefined): string {
  return double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'") ?? '';
}

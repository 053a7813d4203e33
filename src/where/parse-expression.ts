/** Text → expression. The whole text is understood, or it is an error that names the place. */
import type { UsageError } from '../base/errors.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { nearest } from '../base/nearest.ts';
import {
  badWhere,
  type Expression,
  type FieldTest,
  type Operator,
  printExpression,
  type Value,
} from './expression.ts';
import { COLLECTION_NAME, isItemField, ITEM_FIELDS } from './item-values.ts';
import { byHand, message } from '../messages/message.ts';
import type { ByHand, Message } from '../messages/params.ts';

const MAX_CHARACTERS = 10_000;
/** Far more than anybody writes, and far fewer than would overflow the stack. */
const MAX_NESTED = 100;

const SIGNS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=', '~']);
/** Operators of other languages, and their counterparts here. */
const MEANT: Readonly<Record<string, string>> = {
  '==': '=',
  '===': '=',
  '!==': '!=',
  '<>': '!=',
  '=>': '>=',
  '=<': '<=',
};
const MEANT_BY: Readonly<Record<string, 'join_with_and' | 'join_with_or' | 'list_with_in'>> = {
  '&&': 'join_with_and',
  '||': 'join_with_or',
  ',': 'list_with_in',
};

/** The end of a word that joins tests. */
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
    if (this.#text.trim() === '') throw badWhere(this.#text, message('where_empty', {}));
    if (this.#text.length > MAX_CHARACTERS)
      throw badWhere(this.#text, message('where_too_long', { most: MAX_CHARACTERS }));
    this.#takes(SPACES);
    const expression = this.#expression();
    this.#takes(SPACES);
    if (this.#at < this.#text.length) {
      const text = this.#text.slice(this.#at).trim();
      throw this.#bad(message('where_not_expected', { text }), byHand('join_tests', {}));
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
        const said = message('nothing_follows', { word: found[0].trim() });
        throw this.#bad(said, byHand('quote_this_word', {}));
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
    if (this.#nested > MAX_NESTED) throw this.#bad(message('where_nested', {}));
    const inner = this.#expression();
    if (this.#takes(CLOSE) === undefined) throw this.#bad(message('bracket_missing', {}), undefined, start);
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
        message('no_operator', { signs }),
        meant === undefined ? byHand('operators_are', {}) : byHand('write_this', { text: meant }),
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
      throw this.#bad(message('comma_missing', {}), byHand('example_of_list', {}));
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
      message('item_has_no_field', { name }),
      near === undefined
        ? byHand('fields_are', { fields: [...known, `${CUSTOM_PREFIX}NAME`] })
        : byHand('did_you_mean_field', { near, own: `${CUSTOM_PREFIX}${name}` }),
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
    const also = MEANT_BY[found];
    const isOpen = at === this.#at && (found === '"' || found === "'");
    return this.#bad(
      isOpen ? message('quote_not_closed', {}) : message('needs_quotes', { found }),
      byHand('quote_one_value', { quoted, ...(also === undefined ? {} : { also: message(also, {}) }) }),
      at,
    );
  }

  #noTest(at: number): UsageError {
    return this.#bad(
      message('where_no_test', { text: this.#text.slice(at) }),
      byHand('examples_of_tests', {}),
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

  #bad(problem: Message, advice?: ByHand, at = this.#at): UsageError {
    return badWhere(this.#text, problem, { at, advice });
  }
}

/** Exactly one of them is what a pair of quotes holds. */
function textIn(double: string | undefined, single: string | undefined): string {
  return double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'") ?? '';
}

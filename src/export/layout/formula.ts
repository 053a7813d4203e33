/**
 * Arithmetic in a layout: numbers, fields, + - * / ( ) and round(x, digits). It is parsed here and calculated in
 * decimals; nothing is ever run as code.
 *
 *   sum     = product { ("+" | "-") product }
 *   product = factor { ("*" | "/") factor }
 *   factor  = number | field | "[" field "]" | "-" factor | "(" sum ")" | "round" "(" sum [ "," digits ] ")"
 */
import { Big } from 'big.js';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

/** A parsed formula. Its value is undefined (blank) if a field is blank, or if it would divide by 0. */
export interface Formula {
  fields: readonly string[];
  value(number: (field: string) => Big | undefined): Big | undefined;
}

type Node = Formula['value'];

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|\[([^\]]+)\]|([a-z_][\w]*(?:\.[\w-]+)?)|([-+*/(),]))/iy;
/** Far more than anybody writes, and far fewer than would overflow the stack. */
const MAX_TOKENS = 200;

export function parseFormula(text: string): Formula | { problem: Message } {
  try {
    const parser = new Parser(tokens(text));
    const value = parser.whole();
    return { fields: parser.fields, value };
  } catch (error) {
    if (error instanceof FormulaProblem)
      return { problem: message('problem_in', { problem: error.said, text }) };
    throw error;
  }
}

class FormulaProblem extends Error {
  readonly said: Message;

  constructor(said: Message) {
    super(said.code);
    this.said = said;
  }
}

type Token = { kind: 'number' | 'field' | 'sign'; text: string };

function tokens(text: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null)
      throw new FormulaProblem(message('sign_invalid', { sign: text.slice(at).trim()[0] ?? '' }));
    const [, number, bracketed, name, sign] = match;
    if (number !== undefined) found.push({ kind: 'number', text: number });
    else if (sign !== undefined) found.push({ kind: 'sign', text: sign });
    else found.push({ kind: 'field', text: bracketed ?? name ?? '' });
    if (found.length > MAX_TOKENS) throw new FormulaProblem(message('too_many_parts', { most: MAX_TOKENS }));
  }
  return found;
}

class Parser {
  readonly fields: string[] = [];
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(found: readonly Token[]) {
    this.#tokens = found;
  }

  whole(): Node {
    const node = this.#sum();
    const rest = this.#tokens[this.#next];
    if (rest !== undefined) throw new FormulaProblem(message('not_after_formula', { text: rest.text }));
    return node;
  }

  #sum(): Node {
    let left = this.#product();
    for (;;) {
      if (this.#takes('+')) left = both(left, this.#product(), (a, b) => a.plus(b));
      else if (this.#takes('-')) left = both(left, this.#product(), (a, b) => a.minus(b));
      else return left;
    }
  }

  #product(): Node {
    let left = this.#factor();
    for (;;) {
      if (this.#takes('*')) left = both(left, this.#factor(), (a, b) => a.times(b));
      else if (this.#takes('/'))
        left = both(left, this.#factor(), (a, b) => (b.eq(0) ? undefined : a.div(b)));
      else return left;
    }
  }

  #factor(): Node {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new FormulaProblem(message('operand_missing', {}));
    this.#next += 1;
    if (token.kind === 'number') {
      const number = new Big(token.text);
      return () => number;
    }
    if (token.kind === 'field') {
      if (token.text === 'round' && this.#takes('(')) return this.#round();
      this.fields.push(token.text);
      return (number) => number(token.text);
    }
    if (token.text === '-') {
      const inner = this.#factor();
      return (number) => inner(number)?.neg();
    }
    if (token.text !== '(') throw new FormulaProblem(message('sign_unexpected', { sign: token.text }));
    const inner = this.#sum();
    this.#expect(')');
    return inner;
  }

  #round(): Node {
    const inner = this.#sum();
    let digits = 0;
    if (this.#takes(',')) {
      const token = this.#tokens[this.#next];
      digits = Number(token?.text);
      if (token?.kind !== 'number' || !Number.isInteger(digits) || digits > 10) {
        throw new FormulaProblem(message('round_digits', {}));
      }
      this.#next += 1;
    }
    this.#expect(')');
    return (number) => inner(number)?.round(digits, Big.roundHalfUp);
  }

  #takes(sign: string): boolean {
    const token = this.#tokens[this.#next];
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.#next += 1;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#takes(sign)) throw new FormulaProblem(message('sign_missing', { sign }));
  }
}

function both(left: Node, right: Node, calculate: (a: Big, b: Big) => Big | undefined): Node {
  return (number) => {
    const a = left(number);
    const b = right(number);
    return a === undefined || b === undefined ? undefined : calculate(a, b);
  };
}

/** tags: a JSON list, or a text split at `;` or `|`. Not at `,`, because tags can contain commas. */
import { remembered } from '../remembered.ts';
import { message } from '../../messages/message.ts';
import { BLANK, type Cast, CastProblem, cut } from './cast.ts';
import { checkText } from './text.ts';

/** The default separators. */
export const TAG_SEPARATORS: readonly string[] = [';', '|'];

/** Counts cells that have commas and stay one tag, if nobody has named the separator of tags. */
export class CommaTags {
  #count = 0;
  #example = '';
  #isSplit = false;

  add(text: string, isSplit: boolean): void {
    if (isSplit) this.#isSplit = true;
    else if (text.includes(',')) {
      this.#count += 1;
      this.#example ||= text;
    }
  }

  /** Undefined if there are no such cells, or if other cells show that another character separates tags. */
  note(): { cells: number; text: string } | undefined {
    if (this.#count === 0 || this.#isSplit) return undefined;
    return { cells: this.#count, text: cut(this.#example) };
  }
}

/** Compiles the cast. `separators`: one character each. */
export function tagsCast(
  separators: readonly string[],
  isBlankWord: (text: string) => boolean,
  commas?: CommaTags,
): Cast {
  const read = remembered((text) => {
    const list = jsonList(text);
    const parts = list ?? split(text, separators);
    return { tags: tidy(parts), isList: list !== undefined, isSplit: parts.length > 1 };
  });
  return (text) => {
    const problem = checkText(text);
    if (problem !== undefined) return problem;
    if (isBlankWord(text)) return BLANK;
    const { tags, isList, isSplit } = read(text);
    if (!isList) commas?.add(text, isSplit);
    return tags.length === 0 ? BLANK : tags;
  };
}

/** Tags in our own exports: the inverse of their text form (see text-form.ts), with nothing tidied up. */
export function castExactTags(text: string): string[] | CastProblem {
  return checkText(text) ?? jsonList(text) ?? grownList(text) ?? tidy(split(text, TAG_SEPARATORS));
}

/** A list as an export writes it, to which a person has added tags: `["a;b","c"]; new`. */
function grownList(text: string): string[] | CastProblem | undefined {
  if (!text.startsWith('["')) return undefined;
  const end = text.lastIndexOf('"]') + 2;
  const rest = text.slice(end).trim();
  const list = jsonList(text.slice(0, end));
  if (list === undefined || !TAG_SEPARATORS.some((separator) => rest.startsWith(separator)))
    return new CastProblem('not_json', message('no_json', { text: cut(text) }), message('want_json', {}));
  return [...list, ...tidy(split(rest, TAG_SEPARATORS)).filter((tag) => !list.includes(tag))];
}

/** The strings of a JSON array; undefined if the text is not an array of strings only. */
function jsonList(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every((tag) => typeof tag === 'string' && checkText(tag) === undefined)) {
      return list as string[];
    }
  } catch {
    // Not JSON: a tag may begin with a bracket.
  }
  return undefined;
}

function split(text: string, separators: readonly string[]): string[] {
  const [first, ...more] = separators.filter((separator) => text.includes(separator));
  if (first === undefined) return [text];
  const parts = text.split(first);
  return more.length === 0 ? parts : parts.flatMap((part) => split(part, more));
}

/** A plain loop because it runs for every row, and a Set costs more than a search for a few tags. */
function tidy(parts: string[]): string[] {
  const tags: string[] = [];
  for (const part of parts) {
    const tag = part.trim();
    if (tag !== '' && !(tags.length < 20 && tags.includes(tag))) tags.push(tag);
  }
  return tags.length < 20 ? tags : [...new Set(tags)];
}

/** tags: split at `;` or `|`, never at `,` alone, as tags may hold commas; or a JSON list. */
import { BLANK, type Cast, CastProblem } from './cast.ts';
import { checkText } from './text.ts';

/** Where tags are split when nothing else is said. */
export const TAG_SEPARATORS: readonly string[] = [';', '|'];

/** Compiles the cast. `separators`: one character each. */
export function tagsCast(separators: readonly string[], isBlankWord: (text: string) => boolean): Cast {
  return (text) => {
    const problem = checkText(text);
    if (problem !== undefined) return problem;
    if (isBlankWord(text)) return BLANK;
    const tags = tidy(jsonList(text) ?? split(text, separators));
    return tags.length === 0 ? BLANK : tags;
  };
}

/** Tags in our own exports: the inverse of their text form (see text-form.ts), nothing tidied. */
export function castExactTags(text: string): string[] | CastProblem {
  return checkText(text) ?? jsonList(text) ?? tidy(split(text, TAG_SEPARATORS));
}

/** The texts of a JSON array; undefined where the text is none, or holds anything but texts. */
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

/** A loop, not a chain: it runs on every row, and a Set for two tags costs more than looking twice. */
function tidy(parts: string[]): string[] {
  const tags: string[] = [];
  for (const part of parts) {
    const tag = part.trim();
    if (tag !== '' && !(tags.length < 20 && tags.includes(tag))) tags.push(tag);
  }
  return tags.length < 20 ? tags : [...new Set(tags)];
}

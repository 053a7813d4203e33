/**
 * Regular expressions in templates, with RE2's syntax and algorithm: the time depends only on the length of the text, so
 * no template can hang. There is no look-around and there are no back references.
 */
import { RE2JS } from 're2js';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

/** Returns the part of a text that a pattern picks out; undefined if the pattern does not match. */
export type PickText = (text: string) => string | undefined;

/** The problem of a pattern or its group, for people; undefined if there is none. */
export function patternProblem(pattern: string, group?: number | string): Message | undefined {
  let groups: number;
  let names: string[];
  try {
    const compiled = RE2JS.compile(pattern);
    groups = compiled.groupCount();
    names = Object.keys(compiled.namedGroups());
  } catch (error) {
    return message('bad_pattern', { why: error instanceof Error ? error.message : String(error) });
  }
  if (typeof group === 'number' && group > groups) {
    return message('no_group', { group: String(group), known: String(groups) });
  }
  if (typeof group === 'string' && !names.includes(group)) {
    return message('no_group', { group: JSON.stringify(group), known: names.join(', ') });
  }
  return undefined;
}

/**
 * Compiles a pattern that has passed `patternProblem`.
 *
 * @param group number or name of the group to pick. Default: the first group, or the whole match if there is none
 */
export function textPicker(pattern: string, group?: number | string): PickText {
  const compiled = RE2JS.compile(pattern);
  const picked = group ?? Math.min(compiled.groupCount(), 1);
  return (text) => {
    const matcher = compiled.matcher(text);
    // A group that matches nothing is empty; the text as a whole still matches.
    return matcher.find() ? (matcher.group(picked) ?? '') : undefined;
  };
}

/** Compiles a pattern to a test for texts. */
export function textTest(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (text) => compiled.test(text);
}

/**
 * Regular expressions of templates. RE2's syntax, run by its algorithm: time grows with the text's length and
 * with nothing else, so that no template can hang (no look-around, no back references).
 */
import { RE2JS } from 're2js';

/** The part of a text that a pattern picks out; undefined where the pattern is not found in it. */
export type PickText = (text: string) => string | undefined;

/** What is wrong with a pattern or its group, for people; undefined where nothing is. */
export function patternProblem(pattern: string, group?: number | string): string | undefined {
  let groups: number;
  let names: string[];
  try {
    const compiled = RE2JS.compile(pattern);
    groups = compiled.groupCount();
    names = Object.keys(compiled.namedGroups());
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)} (RE2 syntax: https://github.com/google/re2/wiki/Syntax)`;
  }
  if (typeof group === 'number' && group > groups) {
    return `the pattern has no group ${group}, only ${groups}`;
  }
  if (typeof group === 'string' && !names.includes(group)) {
    return `the pattern has no group "${group}"${names.length === 0 ? '' : `, only ${names.join(', ')}`}`;
  }
  return undefined;
}

/**
 * Compiles a pattern that `patternProblem` finds nothing wrong with.
 *
 * @param group number or name of the group to pick; the first by default, the whole match where there is none
 */
export function textPicker(pattern: string, group?: number | string): PickText {
  const compiled = RE2JS.compile(pattern);
  const picked = group ?? Math.min(compiled.groupCount(), 1);
  return (text) => {
    const matcher = compiled.matcher(text);
    // A group that took no part in the match is empty, not a text that does not fit.
    return matcher.find() ? (matcher.group(picked) ?? '') : undefined;
  };
}

/** Compiles a pattern to a test of whether it is found in a text. */
export function textTest(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (text) => compiled.test(text);
}

import { comparable } from '../../mapping/text-form.ts';

/**
 * The replacement from a layout's `words` for a value; undefined if there is none. Case does not count, and one of several
 * tags is enough.
 */
export function replacement(
  field: string,
  words: Readonly<Record<string, string>>,
): (value: unknown, text: string) => string | undefined {
  const known = new Map(Object.entries(words).map(([word, shown]) => [comparable(word), shown]));
  return (value, text) => {
    const texts = field === 'tags' && Array.isArray(value) ? value.map(String) : [text];
    for (const each of texts) {
      const found = known.get(comparable(each));
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

import { comparable } from '../../mapping/text-form.ts';

/**
 * The replacement of a value by a layout's `words`; undefined if there is none. Case is ignored, and one matching tag
 * is enough.
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

/** Errors have a German text by their code. What the engine says as data has one in `messages/de.ts`, or does not compile. */
import { expect, test } from 'vitest';
import { EXIT_OF } from '../../src/error-codes.ts';
import { GERMAN_ERRORS } from '../../src/ui/engine/errors.ts';

test('errors have a German text by their code', () => {
  for (const [code, text] of Object.entries(GERMAN_ERRORS)) {
    expect(Object.hasOwn(EXIT_OF, code), code).toBe(true);
    expect(text, code).toMatch(/[.?]$|https:\/\/$|>=50$/);
  }
});
